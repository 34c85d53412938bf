import type { Report, ScoreRow } from '@holdfast/core';
import { testReport } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

testReport(plugin);

const row = (slice: string, label: string, metrics: ScoreRow['metrics']): ScoreRow => ({
  slice,
  label,
  questions: 2,
  included: 2,
  excluded: 0,
  failed_requests: 0,
  exclusions: { failed_request: 0, missing_prediction: 0 },
  metrics,
});

const report = (rows: readonly ScoreRow[]): Report => ({
  protocol: 'holdfast-report/1',
  recipe: 'r',
  seed: 7,
  datasets: [],
  versions: ['v0_original'],
  slices: ['level'],
  models: [
    {
      id: 'm',
      plugin: 'p',
      plugin_version: '1',
      identity: { model: 'm', endpoint: null, '2': 'b', '1': 'a', nothing: undefined },
      served_models: [],
      served_model_changes: 0,
      confidence: 'none',
      caveats: [],
      failures: [],
      decisions: 2,
      planned: 2,
      scores: {
        protocol: 'holdfast-scores/1',
        model: 'm',
        threshold: 0.5,
        missing: 'exclude_question',
        versions: ['v0_original'],
        rows,
      },
    },
  ],
  notes: ['é "quoted"'],
});

const strict = {
  kind: 'rate',
  name: 'strict_accuracy',
  value: 0.5,
  numerator: 1,
  denominator: 2,
  interval: [0.1, 0.9],
  reason: null,
} as const;
const numbered = { kind: 'number', name: '7', value: null, n: 0, interval: null, reason: 'not_defined' } as const;

async function written(given: Report, options = {}) {
  const files: [string, string][] = [];
  await plugin.create(plugin.options.parse(options), { env: () => undefined, folder: '' }).write(given, {
    write: (file, text) => {
      files.push([file, text]);
      return Promise.resolve();
    },
  });
  return files;
}

describe('the JSON report', () => {
  it('is the whole report with metrics by name, in order, indented', async () => {
    const rows = [row('overall', 'Overall', [strict, numbered]), row('level', '1', [])];
    const [[file, text], ...others] = (await written(report(rows))) as [[string, string]];
    expect([file, others]).toEqual(['report.json', []]);
    expect(text).toMatchInlineSnapshot(`
      "{
        "protocol": "holdfast-report/1",
        "recipe": "r",
        "seed": 7,
        "datasets": [],
        "versions": [
          "v0_original"
        ],
        "slices": [
          "level"
        ],
        "models": [
          {
            "id": "m",
            "plugin": "p",
            "plugin_version": "1",
            "identity": {
              "1": "a",
              "2": "b",
              "model": "m",
              "endpoint": null
            },
            "served_models": [],
            "served_model_changes": 0,
            "confidence": "none",
            "caveats": [],
            "failures": [],
            "decisions": 2,
            "planned": 2,
            "scores": {
              "protocol": "holdfast-scores/1",
              "model": "m",
              "threshold": 0.5,
              "missing": "exclude_question",
              "versions": [
                "v0_original"
              ],
              "rows": [
                {
                  "slice": "overall",
                  "label": "Overall",
                  "questions": 2,
                  "included": 2,
                  "excluded": 0,
                  "failed_requests": 0,
                  "exclusions": {
                    "failed_request": 0,
                    "missing_prediction": 0
                  },
                  "metrics": {
                    "strict_accuracy": {
                      "kind": "rate",
                      "value": 0.5,
                      "numerator": 1,
                      "denominator": 2,
                      "interval": [
                        0.1,
                        0.9
                      ],
                      "reason": null
                    },
                    "7": {
                      "kind": "number",
                      "value": null,
                      "n": 0,
                      "interval": null,
                      "reason": "not_defined"
                    }
                  }
                },
                {
                  "slice": "level",
                  "label": "1",
                  "questions": 2,
                  "included": 2,
                  "excluded": 0,
                  "failed_requests": 0,
                  "exclusions": {
                    "failed_request": 0,
                    "missing_prediction": 0
                  },
                  "metrics": {}
                }
              ]
            }
          }
        ],
        "notes": [
          "é \\"quoted\\""
        ]
      }
      "
    `);
    expect(await written(report(rows))).toEqual([[file, text]]);
    expect(JSON.parse(text)).toMatchObject({ models: [{ scores: { rows: [{}, { label: '1', metrics: {} }] } }] });
  });

  it('goes to the file of the recipe, which is a plain name', async () => {
    expect((await written(report([]), { file: 'all.json' }))[0]![0]).toBe('all.json');
    expect(plugin.options.safeParse({ file: 'a/b.json' }).success).toBe(false);
  });

  it('refuses two metrics of one name in a row', async () => {
    await expect((async () => written(report([row('overall', 'Overall', [strict, strict])])))()).rejects.toThrow(
      'two metrics are called strict_accuracy',
    );
  });
});
