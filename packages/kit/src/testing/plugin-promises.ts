import type { Instances, Plugin, PluginKind } from '@holdfast/core';
import type { Promised } from './promised.ts';

/** How a suite makes instances of the plugin. */
export interface Making {
  /** What stands under `with`. @default {} */
  readonly options?: unknown;
  /** Where relative paths start from. @default the working directory */
  readonly folder?: string;
  /** Environment variables. Every value is taken for a secret. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A fresh instance, by the way that the engine makes one: options parsed once, then `create`. */
export function make<Kind extends PluginKind>(
  plugin: Plugin<Kind>,
  { options = {}, folder = process.cwd(), env = {} }: Making,
): Instances[Kind] {
  return plugin.create(plugin.options.parse(options), {
    folder,
    env: name => (Object.hasOwn(env, name) ? env[name] : undefined),
  });
}

/** What every plugin promises of its description and its options. */
export function pluginPromises(plugin: Plugin<PluginKind>, kind: PluginKind, { options = {} }: Making): Promised[] {
  const schema = plugin.options as unknown as Schema;
  return [
    {
      promise: `describes itself: the kind ${kind}, a kebab-case name, a summary of one sentence`,
      broken: () => [
        ...(plugin.kind === kind ? [] : [`kind is ${plugin.kind}`]),
        ...((plugin.holdfast as number) === 1 ? [] : [`holdfast is ${String(plugin.holdfast)}, not 1`]),
        ...(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(plugin.name) ? [] : [`the name ${plugin.name} is not kebab-case`]),
        ...summaryProblems(plugin.summary),
      ],
    },
    {
      promise: 'takes the options of this test and refuses one that it does not know',
      broken: () => {
        const valid = schema.safeParse(options);
        if (!valid.success) return [`the options of the test are refused: ${valid.error?.message ?? ''}`];
        const unknown = { ...(options as object), 'no-such-option': 1 };
        return schema.safeParse(unknown).success ? ['an unknown option is taken'] : [];
      },
    },
    {
      promise: 'describes every option, and is strict in those that are objects',
      broken: () => optionProblems(schema, 'options'),
    },
  ];
}

function summaryProblems(summary: string): string[] {
  if (summary.trim() !== summary || summary === '') return ['the summary is empty, or has space around it'];
  if (/[\p{Cc}\u2028\u2029]/u.test(summary)) return ['the summary is more than one line'];
  return /[.!?] \p{Lu}/u.test(summary) ? ['the summary is more than one sentence'] : [];
}

/** As much of zod as is looked at: kit does not depend on it. */
interface Schema {
  readonly description?: string | undefined;
  readonly _zod: {
    readonly def: {
      readonly type: string;
      readonly shape?: Readonly<Record<string, Schema>>;
      readonly catchall?: Schema;
      readonly element?: Schema;
      readonly innerType?: Schema;
      readonly in?: Schema;
      readonly valueType?: Schema;
      readonly options?: readonly Schema[];
    };
  };
  safeParse(value: unknown): { readonly success: boolean; readonly error?: { readonly message: string } };
}

/** Options that have no description and objects that take unknown members, by their path. */
function optionProblems(schema: Schema, path: string): string[] {
  const { shape, catchall, element, innerType, in: input, valueType, options = [], type } = schema._zod.def;
  const inner = [element, innerType, input, valueType, ...options].filter(each => each !== undefined);
  const problems = inner.flatMap(each => optionProblems(each, path));
  if (type !== 'object') return problems;
  if (catchall?._zod.def.type !== 'never') problems.push(`${path} is not strict`);
  for (const [name, member] of Object.entries(shape ?? {})) {
    if (!isDescribed(member)) problems.push(`${path}.${name} has no description`);
    problems.push(...optionProblems(member, `${path}.${name}`));
  }
  return problems;
}

function isDescribed(schema: Schema): boolean {
  if (schema.description !== undefined) return schema.description.trim() !== '';
  const { innerType, in: input } = schema._zod.def;
  const inner = innerType ?? input;
  return inner !== undefined && isDescribed(inner);
}
