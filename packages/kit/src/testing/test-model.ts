import {
  HoldfastError,
  json,
  quote,
  type Answer,
  type DecisionRecord,
  type FailureFacts,
  type ModelAdapter,
  type ModelRequest,
  type Plugin,
  type Question,
} from '@holdfast/core';
import { startFaultServer, type ServedRequest, type ServerAction } from './fault-server.ts';
import { frozen } from './frozen.ts';
import { hostileRecords } from './hostile-records.ts';
import { make, pluginPromises, type Making } from './plugin-promises.ts';
import { holdTo, type Promised } from './promised.ts';

export interface ModelSetup extends Omit<Making, 'options'> {
  /** What stands under `with`; of models behind HTTP, for the URL of the test's server. @default {} */
  readonly options?: unknown;
  /** How a good server answers: given for models behind HTTP, which are then held to their promises on faults too. */
  readonly respond?: (request: ServedRequest) => ServerAction;
}

/** Holds a model plugin to its contract; one behind HTTP against a real server on the loopback. */
export function testModel(plugin: Plugin<'model'>, setup: ModelSetup = {}): void {
  holdTo(`model ${plugin.name}`, modelPromises(plugin, setup));
}

type Given = { readonly adapter: ModelAdapter; readonly requests: readonly ServedRequest[] };

export function modelPromises(plugin: Plugin<'model'>, setup: ModelSetup): Promised[] {
  const { respond = () => ({}), env = {} } = setup;
  const remote = setup.respond !== undefined;
  const optionsFor = (url: string): unknown =>
    typeof setup.options === 'function' ? (setup.options as (url: string) => unknown)(url) : setup.options;
  const secrets = Object.values(env);

  /** Runs `work` on a fresh adapter, with a server that does what `serve` says. */
  const withAdapter = async <Value>(
    work: (given: Given) => Promise<Value>,
    serve: (request: ServedRequest) => ServerAction = respond,
  ): Promise<Value> => {
    const server = await startFaultServer(serve);
    try {
      const adapter = make(plugin, { ...setup, options: optionsFor(server.url) });
      const result = await work({ adapter, requests: server.requests });
      await adapter.close?.();
      return result;
    } finally {
      await server.close();
    }
  };
  const signal = new AbortController().signal;
  const decideAll = async (
    each: (
      given: { request: ModelRequest; answers: readonly Answer[]; sent: readonly ServedRequest[] } & Given,
    ) => readonly string[],
  ) =>
    await withAdapter(async given => {
      const problems: string[] = [];
      for (const request of requestsFor(given.adapter)) {
        const before = given.requests.length;
        const answers = await given.adapter.decide(request, signal);
        const found = each({ ...given, request, answers, sent: given.requests.slice(before) });
        problems.push(...found.map(problem => `${request.id}: ${problem}`));
      }
      return problems;
    });

  const local: Promised[] = [
    ...pluginPromises(plugin, 'model', { ...setup, options: optionsFor('http://127.0.0.1:9') ?? {} }),
    {
      promise: 'names the model and what changes its answers, and never a secret',
      broken: () => withAdapter(async ({ adapter }) => identityProblems(adapter, secrets)),
    },
    {
      promise: 'declares limits that make sense',
      broken: () => withAdapter(async ({ adapter }) => limitProblems(adapter)),
    },
    {
      promise: 'gives one answer a question, in the order of the questions',
      broken: () =>
        decideAll(({ request, answers }) => {
          const asked = request.questions.map(({ id }) => id).join(', ');
          const answered = answers.map(({ question_id }) => question_id).join(', ');
          return asked === answered ? [] : [`asked ${asked}, answered ${answered}`];
        }),
    },
    {
      promise:
        'gives valid answers: the choice an option of largest probability, every option once, the sum within the declared decimals',
      broken: () =>
        decideAll(({ adapter, request, answers }) =>
          request.questions.flatMap((question, at) =>
            answers[at] === undefined ? ['no answer'] : answerProblems(answers[at], question, adapter),
          ),
        ),
    },
    {
      promise: 'changes nothing of the request',
      broken: () => decideAllFrozen(withAdapter),
    },
    {
      promise: 'throws the reason of a signal that has aborted',
      broken: () =>
        withAdapter(async ({ adapter }) => {
          const reason = new Error('the reason');
          const error = await failureOf(adapter.decide(requestsFor(adapter)[0]!, AbortSignal.abort(reason)));
          return error === reason ? [] : [`it ${error === null ? 'answers' : `throws ${String(error)}`}`];
        }),
    },
  ];
  if (!remote) return local;

  const faultPromise = (
    promise: string,
    faults: readonly { what: string; serve: ServerAction; facts: Partial<FailureFacts> }[],
  ): Promised => ({
    promise,
    async broken() {
      const problems: string[] = [];
      for (const { what, serve, facts } of faults) {
        const { error, count } = await withAdapter(
          async ({ adapter, requests }) => ({
            error: await failureOf(adapter.decide(requestsFor(adapter)[0]!, signal)),
            count: requests.length,
          }),
          () => serve,
        );
        problems.push(...failureProblems(error, facts).map(problem => `${what}: ${problem}`));
        if (count > 1) problems.push(`${what}: it was tried ${count} times, which the engine does`);
        problems.push(...secretProblems(error, secrets).map(problem => `${what}: ${problem}`));
      }
      return problems;
    },
  });
  const status = (
    code: number,
    body = '{"detail":{"error_type":"x","message":"words of the server"}}',
  ): ServerAction => ({
    status: code,
    body,
  });

  return [
    ...local,
    {
      promise: "sends the state's bytes as they are, the options in their order, and the secret in headers only",
      broken: () =>
        decideAll(({ request, sent }) => {
          const bodies = Buffer.concat(sent.map(({ body }) => body));
          const state = Buffer.from(request.state.bytes);
          const quoted = Buffer.from(quote(request.state).bytes).subarray(1, -1);
          return [
            ...(bodies.includes(state) || bodies.includes(quoted) ? [] : ['the state was not sent as it is']),
            ...request.questions.flatMap(question => orderProblems(bodies, request, question)),
            ...secretProblems(bodies, secrets),
          ];
        }),
    },
    {
      promise: 'keeps no secret of an answer that repeats it',
      broken: () =>
        withAdapter(
          async ({ adapter }) => secretProblems(await adapter.decide(requestsFor(adapter)[0]!, signal), secrets),
          request => ({ ...respond(request), headers: { ...echo(request) } }),
        ),
    },
    {
      promise: 'throws the reason of the signal when it aborts while the server is silent',
      broken: () =>
        withAdapter(
          async ({ adapter, requests }) => {
            const controller = new AbortController();
            const reason = new Error('the reason');
            const deciding = failureOf(adapter.decide(requestsFor(adapter)[0]!, controller.signal));
            while (requests.length === 0) await new Promise(resolve => setTimeout(resolve, 1));
            controller.abort(reason);
            const error = await deciding;
            return error === reason ? [] : [`it ${error === null ? 'answers' : `throws ${String(error)}`}`];
          },
          () => ({ hang: true }),
        ),
    },
    faultPromise('says of what may pass that it may be tried again, and does not try itself', [
      ...[408, 409, 425, 429, 500, 502, 503, 504, 529].map(code => ({
        what: `status ${code}`,
        serve: status(code),
        facts: { retryable: true, status: code },
      })),
      { what: 'a reset', serve: { reset: true }, facts: { kind: 'connection', retryable: true } },
      {
        what: 'a cut body',
        serve: { body: '{"answers":{}}', cut: 5 },
        facts: { kind: 'connection', retryable: true },
      },
      {
        what: 'a wish to wait',
        serve: { status: 429, headers: { 'retry-after': '1.5' } },
        facts: { kind: 'throttled', retryAfterMs: 1500 },
      },
    ]),
    faultPromise('says of what does not pass that it is final', [
      ...[400, 402, 404, 422].map(code => ({
        what: `status ${code}`,
        serve: status(code),
        facts: { retryable: false, status: code },
      })),
      ...[401, 403].map(code => ({
        what: `status ${code}`,
        serve: status(code),
        facts: { kind: 'auth' as const, retryable: false },
      })),
      { what: 'status 413', serve: status(413), facts: { kind: 'over_length', retryable: false } },
    ]),
    {
      promise: 'takes no answer that is broken: MODEL_FAILED, with what came back',
      async broken() {
        const problems: string[] = [];
        for (const body of [
          '',
          'null',
          '[]',
          '{}',
          '<html></html>',
          '{"answers":{',
          '"text"',
          '\ufeff{',
          '{"answers":null}',
        ]) {
          const error = await withAdapter(
            async ({ adapter }) => await failureOf(adapter.decide(requestsFor(adapter)[0]!, signal)),
            () => ({ body }),
          );
          const found = failureProblems(error, {});
          if (found.length === 0 && (error as HoldfastError).facts.exchange === undefined)
            found.push('without an exchange');
          problems.push(...found.map(problem => `${JSON.stringify(body)}: ${problem}`));
        }
        return problems;
      },
    },
    {
      promise: 'keeps no secret of a refusal that repeats it',
      broken: () =>
        withAdapter(
          async ({ adapter }) =>
            secretProblems(await failureOf(adapter.decide(requestsFor(adapter)[0]!, signal)), secrets),
          request => ({
            status: 401,
            headers: echo(request),
            body: JSON.stringify({ error: JSON.stringify(request.headers) }),
          }),
        ),
    },
  ];
}

/** Headers that tell the client everything it sent. */
function echo({ headers }: ServedRequest): Record<string, string> {
  const values = Object.values(headers)
    .flat()
    .filter(value => value !== undefined);
  return { 'content-type': 'application/json', 'x-echo': values.join(' ').replaceAll(/[^\x20-\x7e]/g, '?') };
}

async function decideAllFrozen(
  withAdapter: <Value>(work: (given: Given) => Promise<Value>) => Promise<Value>,
): Promise<readonly string[]> {
  return await withAdapter(async ({ adapter }) => {
    const problems: string[] = [];
    for (const request of requestsFor(adapter)) {
      const before = spell(request);
      await adapter.decide(frozen(request), new AbortController().signal);
      if (spell(request) !== before) problems.push(`${request.id} is another one afterwards`);
    }
    return problems;
  });
}

function spell({ id, state, questions }: ModelRequest): string {
  const shown = questions.map(({ options, ...question }) =>
    json.object([...Object.entries(question), ['options', options.map(({ id, description }) => [id, description])]]),
  );
  return json.value([id, state, shown]).toString();
}

/** Hostile questions of every type that the model takes, one a request; and one request of several. */
function requestsFor({ limits }: ModelAdapter): ModelRequest[] {
  const records = hostileRecords().filter(
    ({ options, primitive }) => options.length <= limits.maxOptions && limits.primitives.includes(primitive),
  );
  const single = records.map(record => ({ id: record.base_id, state: record.state, questions: [questionOf(record)] }));
  const [first] = records;
  const several = records.filter(({ options }) => options.length < 10).slice(0, 3);
  const together = several.map((record, at) => ({ ...questionOf(record), id: `${3 - at}` }));
  const score: Question = {
    id: 'step',
    type: 'score',
    instructions: json.string('How far?'),
    options: ['None', 'Some', 'All'].map((description, id) => ({
      id: String(id),
      description: json.string(description),
    })),
  };
  return [
    ...single,
    ...(first !== undefined && limits.primitives.includes('score')
      ? [{ id: 'score', state: first.state, questions: [score] }]
      : []),
    ...(first !== undefined && together.length > 1 ? [{ id: 'several', state: first.state, questions: together }] : []),
  ];
}

function questionOf({ primitive, instructions, options }: DecisionRecord): Question {
  return {
    id: 'decision',
    type: primitive,
    instructions,
    options: options.map(({ id, description }) => ({ id, description })),
  };
}

function identityProblems({ identity, caveats = [] }: ModelAdapter, secrets: readonly string[]): string[] {
  return [
    ...(typeof identity.model === 'string' && identity.model !== '' ? [] : ['the model has no name']),
    ...Object.entries(identity)
      .filter(([, value]) => value !== null && !['string', 'number', 'boolean'].includes(typeof value))
      .map(([name]) => `${name} is not plain`),
    ...secretProblems([identity, caveats], secrets),
    ...caveats.filter(caveat => caveat.trim() === '').map(() => 'a caveat is empty'),
  ];
}

function limitProblems({ limits, concurrency }: ModelAdapter): string[] {
  const { primitives, maxOptions, maxInputTokens, confidence, probabilityDecimals } = limits;
  const whole = (value: number, low: number, high: number) => Number.isInteger(value) && value >= low && value <= high;
  return [
    ...(primitives.length > 0 && new Set(primitives).size === primitives.length
      ? []
      : ['the primitives are none, or one twice']),
    ...primitives
      .filter(type => !['choice', 'noul', 'score'].includes(type))
      .map(type => `the primitive ${type} is unknown`),
    ...(whole(maxOptions, 2, 1e6) ? [] : [`maxOptions is ${maxOptions}`]),
    ...(maxInputTokens === null || whole(maxInputTokens, 1, 1e12) ? [] : [`maxInputTokens is ${maxInputTokens}`]),
    ...(['provided', 'none'].includes(confidence) ? [] : [`confidence is ${confidence}`]),
    ...(whole(probabilityDecimals, 0, 17) ? [] : [`probabilityDecimals is ${probabilityDecimals}`]),
    ...(concurrency === undefined || whole(concurrency, 1, 1e6) ? [] : [`concurrency is ${concurrency}`]),
  ];
}

function answerProblems(answer: Answer, { type, options }: Question, { limits }: ModelAdapter): string[] {
  const problems: string[] = [];
  const ids = options.map(({ id }) => id);
  const { choice, probabilities, confidence } = answer;
  if (!ids.includes(choice)) problems.push(`the choice ${JSON.stringify(choice)} is no option`);
  if (confidence !== null && !(confidence >= 0 && confidence <= 1)) problems.push(`the confidence is ${confidence}`);
  if (limits.confidence === 'none' && confidence !== null) problems.push('a confidence where limits say none');
  // A yes/no answer is a probability, without a confidence of its own.
  if (limits.confidence === 'provided' && type === 'choice' && confidence === null) {
    problems.push('no confidence where limits say provided');
  }
  if (probabilities === null) return problems;
  const given = new Map(probabilities);
  if (given.size !== probabilities.length || given.size !== ids.length || !ids.every(id => given.has(id))) {
    problems.push(`the probabilities are of ${JSON.stringify(probabilities.map(([id]) => id).slice(0, 5))}`);
  }
  const values = probabilities.map(([, probability]) => probability);
  if (!values.every(value => value >= 0 && value <= 1)) problems.push('a probability is not from 0 to 1');
  const sum = values.reduce((total, value) => total + value, 0);
  const slack = ids.length * 0.5 * 10 ** -limits.probabilityDecimals + 1e-12;
  if (!(Math.abs(sum - 1) <= slack)) problems.push(`the probabilities sum to ${sum}`);
  if ((given.get(choice) ?? -1) < Math.max(...values) - 1e-6)
    problems.push('the choice has not the largest probability');
  return problems;
}

/** Whether the ids of a choice stand in their order in what was sent; states and descriptions may hold ids too. */
function orderProblems(bodies: Buffer, { state }: ModelRequest, { type, options }: Question): string[] {
  if (type !== 'choice') return [];
  const shown = [state, ...options.map(({ description }) => description)].filter(({ byteLength }) => byteLength > 4);
  const rest = shown.reduce(
    (text, part) => text.replaceAll(part.toString(), ' ').replaceAll(quote(part).toString().slice(1, -1), ' '),
    bodies.toString(),
  );
  const inOrder = [1, 2].some(times => {
    let at = 0;
    return options.every(({ id }) => {
      const found = rest.indexOf(
        times === 1 ? JSON.stringify(id) : JSON.stringify(JSON.stringify(id)).slice(1, -1),
        at,
      );
      at = found + 1;
      return found !== -1;
    });
  });
  return inOrder ? [] : ['the ids of the options were not sent in their order'];
}

async function failureOf(deciding: Promise<unknown>): Promise<unknown> {
  return await deciding.then(
    () => null,
    (error: unknown) => error ?? new Error('nothing was thrown'),
  );
}

function failureProblems(error: unknown, facts: Partial<FailureFacts>): string[] {
  if (error === null) return ['an answer'];
  if (!HoldfastError.is(error) || error.code !== 'MODEL_FAILED') return [`${String(error)} is no MODEL_FAILED`];
  return Object.entries(facts)
    .filter(([name, value]) => error.facts[name] !== value)
    .map(([name, value]) => `${name} is ${String(error.facts[name])}, not ${String(value)} (${error.message})`);
}

/** Where a secret stands in what is kept: in the fields, the bytes and the causes. */
function secretProblems(value: unknown, secrets: readonly string[]): string[] {
  const seen = new Set<unknown>();
  const texts: string[] = [];
  const walk = (inner: unknown) => {
    if (typeof inner === 'string') texts.push(inner);
    if (typeof inner !== 'object' || inner === null || seen.has(inner)) return;
    seen.add(inner);
    if (inner instanceof Uint8Array) texts.push(Buffer.from(inner).toString('latin1'));
    else for (const name of Object.getOwnPropertyNames(inner)) walk((inner as Record<string, unknown>)[name]);
  };
  walk(value);
  return secrets
    .flatMap(secret => [...new Set([secret, JSON.stringify(secret).slice(1, -1)])])
    .filter(secret => texts.some(text => text.includes(secret)))
    .map(() => 'a secret is in it');
}
