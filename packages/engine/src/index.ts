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
export type { DatasetLock } from './find-upstream.ts';
