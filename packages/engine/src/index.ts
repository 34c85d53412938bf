export { compose, tokens, type Clock, type Sleep } from './compose.ts';
export {
  build,
  report,
  run,
  score,
  type BuildResult,
  type ModelResult,
  type RunOptions,
  type RunResult,
} from './run.ts';
export { verify, type Finding, type VerifyResult } from './verify.ts';
export { findPlugins, type FoundPlugin } from './find-plugins.ts';
export { loadPlugin, type LoadedPlugin } from './load-plugin.ts';
export { readRecipe, parseRecipe, type ReadRecipe } from './read-recipe.ts';
export { recipeSchema, type Recipe } from './recipe.ts';
export { readManifest, type Manifest } from './manifest.ts';
export type { RunEvent } from './run-event.ts';
export {
  fetchUpstream,
  type FetchEvent,
  type FetchOptions,
  type FetchResult,
  type UpstreamFileState,
} from './fetch-upstream.ts';
export type { DatasetLock } from './find-upstream.ts';
export { inspectFile, type InspectedFile } from './inspect-file.ts';
export {
  NEUTRAL_INSTRUCTIONS,
  guessMapping,
  sentenceOf,
  type Guess,
  type Mapping,
  type SaidMapping,
  type Unclear,
} from './guess-mapping.ts';
export { goldValues } from './gold-values.ts';
export { recipeText, type PlannedOperator, type PlannedServer, type RecipePlan } from './recipe-text.ts';
