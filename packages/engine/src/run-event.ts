/** What a run tells while it goes on. */
export type RunEvent =
  | { readonly type: 'dataset'; readonly dataset: string; readonly questions: number; readonly skipped: number }
  | { readonly type: 'built'; readonly questions: number; readonly records: number }
  | { readonly type: 'resumed'; readonly model: string; readonly kept: number; readonly cut: boolean }
  | {
      readonly type: 'decided';
      readonly model: string;
      /** Durable decisions of this model, failed ones included, those of earlier sessions included. */
      readonly done: number;
      readonly planned: number;
      readonly failed: number;
    }
  | { readonly type: 'waiting'; readonly model: string; readonly milliseconds: number; readonly message: string }
  | { readonly type: 'scored'; readonly model: string }
  | { readonly type: 'written'; readonly file: string };
