import { readFile } from 'node:fs/promises';
import { HoldfastError } from '@holdfast/core';
import { LineCounter, isMap, isNode, isPair, isScalar, parseDocument, type Document } from 'yaml';
import { z } from 'zod';
import { nearestWord } from './nearest-word.ts';
import { modelId, notBuiltYet, recipeSchema, type Recipe } from './recipe.ts';

export type RecipePath = readonly PropertyKey[];

/** A recipe with the places of its text, so that whoever finds a fault in a part of it can say where it stands. */
export interface ReadRecipe {
  readonly recipe: Recipe;
  /** As given by the user. */
  readonly file: string;
  readonly text: string;
  /** The error for a fault at `path`: `FILE:LINE:COLUMN: sentence`. */
  fault(path: RecipePath, sentence: string): HoldfastError;
  /** The error for what a zod schema found in the value at `path`. */
  misfit(path: RecipePath, error: z.ZodError, schema: z.ZodType): HoldfastError;
}

/** The recipe in `file`. Throws RECIPE_INVALID with file, line, column and, for a wrong word, the nearest right one. */
export async function readRecipe(file: string): Promise<ReadRecipe> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'cannot be read';
    throw new HoldfastError('RECIPE_INVALID', `${file}: the recipe ${why}; give the path of a recipe.yaml`, {
      cause: error,
      facts: { file },
    });
  }
  return parseRecipe(text, file);
}

/** The recipe in `text`; `file` is for messages. Throws as `readRecipe`. */
export function parseRecipe(text: string, file: string): ReadRecipe {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2', schema: 'core' });
  const errorAt = (offset: number, sentence: string): HoldfastError => {
    const { line, col } = lines.linePos(offset);
    const column = Math.max(1, col);
    return new HoldfastError('RECIPE_INVALID', `${file}:${Math.max(1, line)}:${column}: ${sentence}`, {
      facts: { file, line, column },
    });
  };
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw errorAt(problem.pos[0], yamlSentence(problem.code, problem.message));
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw errorAt(0, `the YAML cannot be expanded: ${(error as Error).message}`);
  }
  const fault = (path: RecipePath, sentence: string) => errorAt(offsetOf(document, path), sentence);
  const misfit = (path: RecipePath, error: z.ZodError, schema: z.ZodType) => {
    // A misspelt key is also a missing one: the misspelling says more.
    const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0]!;
    const { path: inside, key, sentence } = describeIssue(issue, schema);
    const whole = [...path, ...inside];
    const offset = key === null ? offsetOf(document, whole) : keyOffsetOf(document, whole, key);
    return errorAt(offset, `${whole.length === 0 ? '' : `${pathText(whole)}: `}${sentence}`);
  };
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw errorAt(0, 'a recipe is a map of keys such as recipe, datasets and models');
  }
  const parsed = recipeSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) throw misfit([], parsed.error, recipeSchema);
  const recipe = parsed.data;
  const [refused] = notBuiltYet(recipe);
  if (refused !== undefined) throw fault(refused.path, refused.sentence);
  const ids = recipe.models.map(modelId);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice !== -1) throw fault(['models', twice], `two models have the id ${ids[twice]}; give each its own id`);
  return { recipe, file, text, fault, misfit };
}

function yamlSentence(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return 'a key stands twice in one map; remove one of them';
  return message.replace(/\s+at line \d+, column \d+[\s\S]*$/, '').replaceAll('\n', ' ');
}

function pathText(path: RecipePath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

/** Where the value at `path` stands, or the nearest part of the path that exists. */
function offsetOf(document: Document, path: RecipePath): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function keyOffsetOf(document: Document, path: RecipePath, key: string): number {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isMap(node)) {
    for (const pair of node.items) {
      if (isPair(pair) && isScalar(pair.key) && pair.key.value === key && pair.key.range) return pair.key.range[0];
    }
  }
  return offsetOf(document, path);
}

interface DescribedIssue {
  readonly path: RecipePath;
  readonly key: string | null;
  readonly sentence: string;
}

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType): DescribedIssue {
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const known = keysAt(schema, issue.path);
    const near = nearestWord(key, known);
    const hint =
      near !== null
        ? `did you mean ${near}?`
        : known.length > 0
          ? `the keys here are ${known.join(', ')}`
          : 'remove it';
    return { path: issue.path, key, sentence: `unknown key ${key}; ${hint}` };
  }
  if (issue.code === 'invalid_union') {
    // The branch that got furthest says most about what was meant.
    const deepest = issue.errors.flat().sort((left, right) => right.path.length - left.path.length)[0];
    if (deepest !== undefined && (deepest.path.length > 0 || deepest.code === 'unrecognized_keys')) {
      const inner = describeIssue(deepest, at(schema, issue.path) ?? schema);
      return { ...inner, path: [...issue.path, ...inner.path] };
    }
    return { path: issue.path, key: null, sentence: 'must be a name, or a map with use and with' };
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    const given = typeof issue.input === 'string' ? nearestWord(issue.input, values) : null;
    const hint = given === null ? '' : `; did you mean ${given}?`;
    const missing = issue.input === undefined ? 'is missing; it ' : '';
    return { path: issue.path, key: null, sentence: `${missing}must be ${values.join(' or ')}${hint}` };
  }
  if (issue.code === 'invalid_type') {
    const missing = issue.message.includes('received undefined');
    const sentence = missing ? 'is missing' : issue.message.replace(/^Invalid input: /, '');
    return { path: issue.path, key: null, sentence };
  }
  return { path: issue.path, key: null, sentence: issue.message };
}

/** The schema of the part at `path`, as far as objects and lists lead. */
function at(schema: z.ZodType, path: RecipePath): z.ZodType | null {
  let current: z.ZodType | undefined = unwrap(schema);
  for (const part of path) {
    if (current instanceof z.ZodObject) current = current.shape[String(part)] as z.ZodType | undefined;
    else if (current instanceof z.ZodArray) current = current.element as z.ZodType;
    else return null;
    if (current === undefined) return null;
    current = unwrap(current);
  }
  return current ?? null;
}

function keysAt(schema: z.ZodType, path: RecipePath): string[] {
  const found = at(schema, path);
  if (found instanceof z.ZodObject) return Object.keys(found.shape);
  if (found instanceof z.ZodUnion) return found.options.flatMap(option => keysAt(option as z.ZodType, []));
  return [];
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional
  ) {
    return unwrap(schema.def.innerType as z.ZodType);
  }
  return schema;
}
