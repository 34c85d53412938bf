import {
  HoldfastError,
  json,
  readTree,
  type JsonInput,
  type JsonNode,
  type Report,
  type ScoreRow,
} from '@holdfast/core';

/** The report as JSON text, indented by two spaces, with each row's metrics keyed by name as in scores.json. */
export function document(report: Report): string {
  const models = report.models.map(model => ({
    ...model,
    scores: { ...model.scores, rows: model.scores.rows.map(keyed) },
  }));
  return `${visible(indented(readTree(json.value(ordered({ ...report, models }))), ''))}\n`;
}

/** With an escape for what would steer a terminal or hide the direction of writing. */
function visible(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function keyed({ metrics, ...row }: ScoreRow): object {
  const byName = new Map<string, unknown>();
  for (const { name, ...value } of metrics) {
    if (byName.has(name)) {
      throw new HoldfastError('SCORE_INVALID', `two metrics are called ${name}: take one out of the recipe`, {
        facts: { metric: name, slice: row.slice, label: row.label },
      });
    }
    byName.set(name, value);
  }
  return { ...row, metrics: byName };
}

/** Plain data for the ordered writer. Every object becomes a Map: names from data may look like integers. */
function ordered(value: unknown): JsonInput {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value as JsonInput;
  const entries = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
  return new Map(entries.filter(([, member]) => member !== undefined).map(([key, member]) => [key, ordered(member)]));
}

function indented({ kind, members, items, text }: JsonNode, margin: string): string {
  const inner = `${margin}  `;
  const lines =
    kind === 'object'
      ? members.map(({ key, value }) => `${inner}${JSON.stringify(key)}: ${indented(value, inner)}`)
      : items.map(item => `${inner}${indented(item, inner)}`);
  if (lines.length === 0) return text.toString();
  const [open, close] = kind === 'object' ? '{}' : '[]';
  return `${open}\n${lines.join(',\n')}\n${margin}${close}`;
}
