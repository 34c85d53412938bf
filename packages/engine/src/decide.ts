import { setMaxListeners } from 'node:events';
import {
  type HoldfastError,
  canonicalOf,
  modelFailed,
  type Answer,
  type Decision,
  type DecisionRecord,
  type Exchange,
  type FailureFacts,
  type ModelAdapter,
  type ModelRequest,
} from '@holdfast/core';
import { answerProblem } from './validate-answer.ts';
import { buildRequest } from './build-request.ts';
import type { Journal } from './journal.ts';
import { retry, type Outcome, type RetryTools } from './retry.ts';

export interface DecideTools {
  readonly adapter: ModelAdapter;
  readonly journal: Journal;
  readonly concurrency: number;
  readonly retries: RetryTools;
  /** No new request is begun, and no wait goes on, once this aborts; what is in flight is finished. */
  readonly stop: AbortSignal;
  /** What is in flight is given up. */
  readonly abort: AbortSignal;
  /** Told of each failure that stands. */
  readonly onFailed: (failure: HoldfastError) => void;
}

/**
 * Decides every record once, `concurrency` at a time, and journals each decision before its slot is used again.
 * Failures are rows, not errors. Throws STORAGE_FAILED, a sign-in refusal (no later request could succeed), or what is
 * a bug of an adapter; then, as after `stop`, what is in flight is still journalled.
 */
export async function decideAll(records: AsyncIterable<DecisionRecord>, tools: DecideTools): Promise<void> {
  const { concurrency, stop } = tools;
  const queue = records[Symbol.asyncIterator]();
  const ended = new AbortController();
  const halted = AbortSignal.any([stop, ended.signal]);
  // Every request in flight listens: many listeners are no leak here.
  setMaxListeners(0, halted, tools.abort);
  const work = async (): Promise<void> => {
    while (!halted.aborted) {
      const next = await queue.next();
      if (next.done || halted.aborted) return;
      await decideOne(next.value, tools, halted);
    }
  };
  let first: { error: unknown } | null = null;
  const guard = () =>
    work().catch((error: unknown) => {
      if (!halted.aborted || error !== halted.reason) first ??= { error };
      ended.abort(new Error('the run ends'));
    });
  await Promise.all(Array.from({ length: concurrency }, guard));
  await queue.return?.();
  if (first !== null) throw (first as { error: unknown }).error;
}

async function decideOne(record: DecisionRecord, tools: DecideTools, halted: AbortSignal): Promise<void> {
  const { adapter, journal, retries, abort, onFailed } = tools;
  const request = buildRequest(record);
  const refused = limitFailure(request, adapter);
  const outcome: Outcome<Answer> =
    refused === null
      ? await retry(() => askOnce(adapter, request, abort), retries, halted)
      : { failure: refused, attempts: 0, latencyMs: 0 };
  const { decision, exchange } = toDecision(record, request, adapter, outcome);
  await journal.append(decision, exchange);
  if ('value' in outcome) return;
  onFailed(outcome.failure);
  if ((outcome.failure.facts as FailureFacts).kind === 'auth') throw outcome.failure;
}

/** A failure that is known before anything is sent: what the model cannot take is not sent to it. */
function limitFailure({ questions }: ModelRequest, { limits }: ModelAdapter): HoldfastError | null {
  const { type, options } = questions[0]!;
  if (!limits.primitives.includes(type)) {
    return modelFailed(`the model takes no ${type} questions`, { kind: 'refused', retryable: false });
  }
  if (options.length > limits.maxOptions) {
    const sentence = `${options.length} options are more than the model's limit of ${limits.maxOptions}`;
    return modelFailed(sentence, { kind: 'over_length', retryable: false });
  }
  return null;
}

async function askOnce(adapter: ModelAdapter, request: ModelRequest, abort: AbortSignal): Promise<Answer> {
  const answers = await adapter.decide(request, abort);
  const question = request.questions[0]!;
  const [answer] = answers;
  if (answers.length !== 1 || answer?.question_id !== question.id) {
    throw modelFailed(`${answers.length} answers came to one question`, { kind: 'invalid_answer', retryable: false });
  }
  const problem = answerProblem(answer, question, adapter.limits.probabilityDecimals);
  if (problem === null) return answer;
  throw modelFailed(problem, { kind: 'invalid_answer', retryable: false, exchange: answer.exchange });
}

function toDecision(
  record: DecisionRecord,
  request: ModelRequest,
  { limits }: ModelAdapter,
  outcome: Outcome<Answer>,
): { decision: Omit<Decision, 'answer'>; exchange: Exchange | null } {
  const asked = {
    record_id: record.id,
    base_id: record.base_id,
    version: record.version,
    dataset: record.dataset,
    group_id: record.group_id,
  };
  const gold = { gold: record.gold, canonical_gold: canonicalOf(record.options, record.gold) };
  const facts = {
    attempts: outcome.attempts,
    latency_ms: outcome.attempts === 0 ? null : Math.round(outcome.latencyMs * 1_000) / 1_000,
    repeat: 0,
    request_sha256: request.id,
  };
  const policies = { truncation: null, options_policy: null };
  if ('value' in outcome) {
    const { choice, probabilities, confidence, served_model, usage, request_id, exchange } = outcome.value;
    const decision = {
      ...asked,
      status: 'ok' as const,
      choice,
      canonical_choice: canonicalOf(record.options, choice),
      ...gold,
      correct: choice === record.gold,
      probabilities: probabilities?.map(([id, probability]) => [id, probability] as [string, number]) ?? null,
      confidence,
      confidence_source: confidence === null ? ('none' as const) : limits.confidence,
      option_count: record.options.length,
      served_model,
      usage,
      cost_usd: null,
      ...facts,
      request_id,
      ...policies,
      failure: null,
    };
    return { decision, exchange };
  }
  const { kind, status, exchange } = outcome.failure.facts as FailureFacts;
  const decision = {
    ...asked,
    status: 'failed' as const,
    choice: null,
    canonical_choice: null,
    ...gold,
    correct: null,
    probabilities: null,
    confidence: null,
    confidence_source: null,
    option_count: record.options.length,
    served_model: null,
    usage: null,
    cost_usd: null,
    ...facts,
    request_id: null,
    ...policies,
    failure: { kind, status: status ?? null, message: outcome.failure.message },
  };
  return { decision, exchange: (exchange as Exchange | null | undefined) ?? null };
}
