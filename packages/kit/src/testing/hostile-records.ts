import { readRecord, type DecisionRecord } from '@holdfast/core';

type Options = readonly (readonly [id: string, canonical: string, description: string])[];

const optionsText = (options: Options) =>
  `[${options.map(([id, canonical, description]) => `{"id":${id},"canonical_id":${canonical},"description":${description}}`).join(', ')}]`;

const line = (
  name: string,
  members: { state: string; instructions?: string; options: Options; gold: string; rest?: string },
) => {
  const { state, instructions = '"Which one?"', options, gold, rest = '' } = members;
  return (
    `{"schema_version":"jev-choice/1.0","id":"${name}::v0_original","base_id":"${name}","group_id":"group-${name}",` +
    `"dataset":"hostile","scenario":"test","decision_type":"test","state": ${state} ,"instructions":${instructions},` +
    `"options":${optionsText(options)},"gold":${gold},"source":{"row":1.0},"labels":{"scenario":"Test"}${rest}}`
  );
};

const same = (id: string, description: string): Options[number] => [id, id, description];

const lines = [
  line('integer-like-ids', {
    state: String.raw`{"2":1.0, "1":12345678901234567890,"10":-0,"1":1e400,"text":"a \ud800 lone, \u2028, \u0000","é":"✓"}`,
    options: [same('"1"', '"One"'), same('"0"', '{"2":1.50,"1":null}'), same('"-1"', '"Minus one"')],
    gold: '"0"',
  }),
  line('names-of-objects', {
    state: '{"__proto__":{"a":1},"constructor":[1,1.0,10e-1],"__proto__":null}',
    options: [same('"__proto__"', '"P"'), same('"constructor"', '"C"'), same('"toString"', 'null')],
    gold: '"__proto__"',
  }),
  line('many-options', {
    state: '["which", "of", 255]',
    options: Array.from({ length: 255 }, (_, at) => same(`"option_${at}"`, `"Description ${at}"`)),
    gold: '"option_254"',
  }),
  line('empty-strings', {
    state: '""',
    instructions: '""',
    options: [same('"a"', '""'), same('"b"', '""')],
    gold: '"b"',
  }),
  line('string-state', {
    state:
      String.raw`"She said \"yes\\no\" \/ \u001b[31m\n<script>alert(1)<\/script> \udfff\ud800 ` + '\u2028\u0085 end"',
    options: [same('"yes"', '"Yes"'), same('"no"', '"No"'), same('"maybe"', '["Maybe"]')],
    gold: '"no"',
  }),
  line('wrapped-already', {
    state: String.raw`{"auxiliary_case":{"x":1},"current_case":"{\"a\":1}","candidates":["A","B"]}`,
    options: [
      ['"B"', '"A"', '"First"'],
      ['"A"', '"B"', '"Second"'],
      ['"option_2"', '"C"', '"Third"'],
    ],
    gold: '"A"',
  }),
  line('yes-or-no', {
    state: '{"claim":"The sea is blue","n":3}',
    options: [same('"true"', '"Yes"'), same('"false"', '"No"')],
    gold: '"true"',
    rest: ',"primitive":"noul"',
  }),
  line('no-state', {
    state: 'null',
    instructions: '{"goal":"Pick","1":"one","0":"two"}',
    options: [same('"✅"', '{}'), same(String.raw`"a|b\n\"c\" =1+1"`, '[]')],
    gold: '"✅"',
  }),
  line('unknown-members', {
    state: '[[],{},[{}],-0,1E5,true,false,null]',
    instructions: '["Read this", {"then":"choose"}]',
    options: [same(String.raw`"\ud83d\ude00"`, '7'), same('" "', 'false'), same('"x"', '"X"')],
    gold: '" "',
    rest: ',"colour":{"b":1,"a":2.0},"2":[]',
  }),
] as const;

/**
 * Valid records with everything that a careless operator, writer or adapter trips over: integer-like and prototype
 * names as ids, duplicate keys, lone surrogates, numbers beyond doubles, 255 options, empty strings, a yes/no question.
 */
export function hostileRecords(): DecisionRecord[] {
  return lines.map(text => readRecord(Buffer.from(text)));
}
