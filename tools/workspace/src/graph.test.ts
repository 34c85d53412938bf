import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', FORCE_COLOR: '0' };

/** From the top down; a project may depend only on floors behind its own. Plugins lie between the packages. */
const floors = ['tools', 'cli', 'corpus', 'engine', 'plugin', 'viewer', 'kit', 'stats', 'core'];

interface Graph {
  readonly nodes: Record<string, { data: { tags: string[]; root: string } }>;
  readonly dependencies: Record<string, { source: string; target: string }[]>;
}

function tracked(): string[] {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
    .toString()
    .split('\0')
    .filter(Boolean);
}

describe('the project graph', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-graph-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let graph: Graph;
  beforeAll(() => {
    const file = join(folder, 'graph.json');
    execFileSync('npx', ['nx', 'graph', `--file=${file}`], { cwd: root, env, stdio: 'pipe' });
    graph = (JSON.parse(readFileSync(file, 'utf8')) as { graph: Graph }).graph;
  });
  const floorOf = (project: string) =>
    graph.nodes[project]!.data.tags.find(tag => tag.startsWith('floor:'))!.slice('floor:'.length);

  it('has every package and plugin, tagged by its folder', () => {
    const manifests = tracked().filter(file => /^(packages|plugins|tools)\/[^/]+\/package\.json$/.test(file));
    expect(
      Object.values(graph.nodes)
        .map(({ data }) => `${data.root}/package.json`)
        .sort(),
    ).toEqual(manifests.sort());
    for (const project of Object.keys(graph.nodes)) expect(floors).toContain(floorOf(project));
  });

  it('has no edge that does not go down', () => {
    const edges = Object.values(graph.dependencies).flat();
    expect(edges.length).toBeGreaterThan(20);
    const wrong = edges
      .filter(({ source, target }) => target in graph.nodes && source !== target)
      .filter(({ source, target }) => floors.indexOf(floorOf(source)) >= floors.indexOf(floorOf(target)))
      .map(({ source, target }) => `${source} -> ${target}`);
    expect(wrong).toEqual([]);
  });

  it('has no edge from the engine to a plugin', () => {
    const edges = graph.dependencies['@holdfast/engine']!.map(({ target }) => floorOf(target));
    expect(edges).not.toContain('plugin');
  });
});

describe('a forbidden import', () => {
  const planted = {
    'plugin to plugin': ['plugins/perturbation-order', "import '@holdfast/perturbation-label';"],
    'plugin to engine': ['plugins/model-lexical', "import '@holdfast/engine';"],
    'engine to plugin': ['packages/engine', "import '@holdfast/metric-accuracy';"],
    'kit to engine': ['packages/kit', "import '@holdfast/engine';"],
    'core to kit': ['packages/core', "import '@holdfast/kit';"],
    'core to an npm package': ['packages/core', "import 'yaml';"],
    'stats to core': ['packages/stats', "import '@holdfast/core';"],
    'a dataset to statistics': ['plugins/dataset-bfcl', "import '@holdfast/stats';"],
    'a path into another package': ['packages/kit', "import '../../core/src/error.ts';"],
    'a metric to the file system': ['plugins/metric-accuracy', "import 'node:fs';"],
    'chance in an operator': ['plugins/perturbation-order', 'export const chance = Math.random();'],
    'a report to the network': ['plugins/report-markdown', "import 'node:http';"],
    'nothing forbidden': ['packages/cli', "import '@holdfast/kit';"],
  } as const;
  const names = Object.keys(planted) as (keyof typeof planted)[];
  const fileOf = (name: (typeof names)[number]) => `${planted[name][0]}/src/planted-${names.indexOf(name)}.ts`;

  // A fresh clone has no cached project graph, and without one the boundary rule only warns.
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-clone-'));
  const errors = new Map<string, number>();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(() => {
    const manifests = new Map<string, string>();
    for (const file of tracked()) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(root, file), join(folder, file));
      if (!file.endsWith('/package.json')) continue;
      const { name } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { name: string };
      manifests.set(name, dirname(file));
    }
    installLinks(join(folder, 'node_modules'), manifests);
    for (const name of names) {
      mkdirSync(dirname(join(folder, fileOf(name))), { recursive: true });
      writeFileSync(join(folder, fileOf(name)), `${planted[name][1]}\n`);
    }
    const command = `npx nx show projects > /dev/null && npx eslint --format json ${names.map(fileOf).join(' ')}`;
    const { stdout } = spawnSync(command, { cwd: folder, env, encoding: 'utf8', shell: true });
    for (const { filePath, errorCount } of JSON.parse(stdout) as { filePath: string; errorCount: number }[]) {
      errors.set(filePath.slice(filePath.lastIndexOf('/') + 1), errorCount);
    }
  });
  /** What `npm ci` makes: packages from the registry, and links to the clone's own. */
  function installLinks(modules: string, own: ReadonlyMap<string, string>): void {
    mkdirSync(join(modules, '@holdfast'), { recursive: true });
    for (const entry of readdirSync(join(root, 'node_modules'))) {
      if (entry === '@holdfast' || own.has(entry)) continue;
      symlinkSync(join(root, 'node_modules', entry), join(modules, entry));
    }
    for (const [name, place] of own) symlinkSync(join(folder, place), join(modules, name));
  }

  it.each(names.filter(name => name !== 'nothing forbidden'))('from %s is refused by lint in a fresh clone', name => {
    expect(errors.get(`planted-${names.indexOf(name)}.ts`)).toBe(1);
  });

  it('is what those were refused for: an allowed one passes', () => {
    expect(errors.get(`planted-${names.indexOf('nothing forbidden')}.ts`)).toBe(0);
  });
});

describe('what is derived', () => {
  it('is up to date: npm run sync changes no tsconfig.json', async () => {
    const { packagesOf, tsconfigOf } = await import('./references.mjs');
    const packages = packagesOf(root);
    const stale = packages.filter(
      entry => readFileSync(join(root, entry.folder, 'tsconfig.json'), 'utf8') !== tsconfigOf(entry, packages),
    );
    expect(stale.map(({ folder }) => folder)).toEqual([]);
  });

  it('includes the plugins: no file outside their folders lists them', () => {
    const plugins = tracked()
      .filter(file => /^plugins\/[^/]+\/package\.json$/.test(file))
      .map(file => file.split('/')[1]!);
    expect(plugins.length).toBeGreaterThan(10);
    const lists = tracked()
      .filter(file => /\.(ts|tsx|mjs|js|json|ya?ml)$/.test(file) && !/package-lock\.json$|\.test\.ts$/.test(file))
      .filter(file => {
        const own = /^plugins\/([^/]+)\//.exec(file)?.[1];
        const text = readFileSync(join(root, file), 'utf8');
        return plugins.filter(plugin => plugin !== own && text.includes(`@holdfast/${plugin}`)).length > 1;
      });
    expect(lists).toEqual([]);
  });
});
