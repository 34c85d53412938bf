import { JsonText, type RequestOption } from '@holdfast/core';
import { describe, expect, it } from 'vitest';
import { optionText } from './option-text.ts';

const option = (id: string, description: string): RequestOption => ({ id, description: JsonText.parse(description) });

describe('the text of an option', () => {
  it.each([
    ['weather.get', 'null', 'weather.get'],
    ['weather.get', '"Tells the weather."', 'weather.get\nTells the weather.'],
    ['option_003', '"Tells the weather."', '\nTells the weather.'],
    [
      'f',
      '{"description":"Tells it.","parameters":{"type":"dict","properties":{"city":{"type":"string","description":"Where"}},"required":["city"]}}',
      'f\nTells it.\ndict\ncity\nstring\nWhere\ncity',
    ],
    ['f', '["a",{"tag":"b"},1.0,true]', 'f\na\ntag\nb\n1.0'],
  ])('%s %s', (id, description, text) => expect(optionText(option(id, description))).toBe(text));

  it('is the same when the id has moved into the description', () => {
    const description = '{"description":"Tells it.","parameters":{}}';
    const nested = `{"label":"weather.get","description":${description}}`;
    expect(optionText(option('option_000', nested))).toBe(optionText(option('weather.get', description)));
    const twice = `{"label":"option_000","description":${nested}}`;
    expect(optionText(option('choice_000', twice))).toBe(optionText(option('weather.get', description)));
  });

  it('knows a nested label from a description that happens to have one', () => {
    const description = '{"label":"Save","description":"A button","tag":"button"}';
    expect(optionText(option('e7', description))).toBe('e7\nlabel\nSave\nA button\ntag\nbutton');
  });
});
