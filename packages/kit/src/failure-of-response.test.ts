import { describe, expect, it } from 'vitest';
import { type exchangeOf, failureOfResponse } from './failure-of-response.ts';
import { redact, safeHeaders } from './redact.ts';
import { retryAfter } from './retry-after.ts';

const now = Date.UTC(2026, 10, 30, 12, 0, 0);
const answer = (status: number, body: string, headers: readonly (readonly [string, string])[] = []) => ({
  status,
  headers,
  body: Buffer.from(body),
});

describe('failureOfResponse', () => {
  it('is null for 2xx', () => {
    for (const status of [200, 201, 204]) expect(failureOfResponse(answer(status, 'x'), { now })).toBeNull();
  });

  it.each<[number, string, string, boolean]>([
    [301, '', 'refused', false],
    [400, '', 'refused', false],
    [400, '{"detail":{"error_type":"max_tokens_exceeded"}}', 'over_length', false],
    [400, '{"error":{"code":"context_length_exceeded","message":"too long"}}', 'over_length', false],
    [400, '{"error":{"code":"max_tokens_exceeded"}}', 'over_length', false],
    [401, '', 'auth', false],
    [402, '', 'refused', false],
    [403, '', 'auth', false],
    [404, '', 'refused', false],
    [408, '', 'timeout', true],
    [409, '', 'overloaded', true],
    [413, '', 'over_length', false],
    [422, '{"detail":{"error_type":"max_tokens_exceeded"}}', 'refused', false],
    [425, '', 'overloaded', true],
    [429, '', 'throttled', true],
    [429, '{"errors":[{"code":4006,"message":"used up"}],"success":false}', 'refused', false],
    [429, '{"errors":[{"code":4007,"message":"slow"}]}', 'throttled', true],
    [500, '', 'overloaded', true],
    [503, '', 'overloaded', true],
    [504, '<html>', 'timeout', true],
    [529, '', 'overloaded', true],
  ])('says of %i %s that it is %s, and whether to try again: %s', (status, body, kind, retryable) => {
    expect(failureOfResponse(answer(status, body), { now })).toMatchObject({
      code: 'MODEL_FAILED',
      facts: { kind, retryable, status, exchange: { status, body: Buffer.from(body) } },
    });
  });

  it.each<[string, string]>([
    [
      '{"detail":{"error_type":"authentication_error","message":"No such key."}}',
      'HTTP 400: authentication_error: No such key.',
    ],
    ['{"detail":{"error_type":"max_tokens_exceeded"}}', 'HTTP 400: max_tokens_exceeded'],
    [
      '{"detail":[{"type":"missing","loc":["body","state",0],"msg":"Field required","input":{"state":"PRIVATE"}},{"msg":"Two"}]}',
      'HTTP 400: body.state.0: Field required; Two',
    ],
    ['{"detail":[{"input":"PRIVATE"}]}', 'HTTP 400'],
    ['{"detail":"Not found"}', 'HTTP 400: Not found'],
    ['{"error":"nope"}', 'HTTP 400: nope'],
    ['{"error":{"message":"bad","code":400}}', 'HTTP 400: bad'],
    ['{"errors":[{"code":5021,"message":"too large"}]}', 'HTTP 400: 5021: too large'],
    ['{"message":"just this"}', 'HTTP 400: just this'],
    ['{"reason":"other"}', 'HTTP 400: {"reason":"other"}'],
    ['null', 'HTTP 400: null'],
    ['', 'HTTP 400'],
    [
      '<html><head><style>p{}</style><title>504</title></head><body>Gateway\n<b>timeout</b></body></html>',
      'HTTP 400: 504 Gateway timeout',
    ],
    ['a\u001b[31mred\u0007\r\n\u202eevil\u009b', 'HTTP 400: a [31mred evil'],
    ['x'.repeat(5000), `HTTP 400: ${'x'.repeat(200)}`],
    ['{"message":"\\ud800 \\u001b]0;t"}', 'HTTP 400: \ufffd ]0;t'],
    ['{"__proto__":{"message":"p"},"message":"own"}', 'HTTP 400: own'],
  ])('repeats the words in %s', (body, message) => {
    expect(failureOfResponse(answer(400, body), { now })?.message).toBe(message);
  });

  it('survives bytes that are no text and JSON that is too deep', () => {
    const bytes = { status: 500, headers: [], body: Buffer.from([0xff, 0x00, 0xfe]) };
    expect(failureOfResponse(bytes, { now })?.message).toBe('HTTP 500: \ufffd \ufffd');
    expect(failureOfResponse(answer(500, '['.repeat(100_000)), { now })?.message).toContain('HTTP 500: [[[');
  });

  it('keeps no secret, wherever the server repeats it', () => {
    const secret = 'sk/"tést"';
    const body = JSON.stringify({ error: { message: `Incorrect key ${secret}` }, url: encodeURIComponent(secret) });
    const headers = [
      ['x-echo', `Bearer ${secret}`],
      ['Set-Cookie', 'a=b'],
      ['retry-after', '2'],
    ] as const;
    const failure = failureOfResponse(answer(401, body, headers), { now, secrets: [secret, ''] })!;
    const { exchange, retryAfterMs } = failure.facts as unknown as {
      exchange: ReturnType<typeof exchangeOf>;
      retryAfterMs: number;
    };
    expect(failure.message).toBe('HTTP 401: Incorrect key [redacted]');
    expect(exchange.headers).toEqual([
      ['x-echo', 'Bearer [redacted]'],
      ['retry-after', '2'],
    ]);
    expect(Buffer.from(exchange.body).toString()).toBe(
      '{"error":{"message":"Incorrect key [redacted]"},"url":"[redacted]"}',
    );
    expect(retryAfterMs).toBe(2000);
  });
});

describe('retryAfter', () => {
  it.each<[string, string, number | null]>([
    ['retry-after-ms', '1500', 1500],
    ['Retry-After-Ms', '12.5', 12.5],
    ['retry-after-ms', '-3', 0],
    ['retry-after', '2', 2000],
    ['Retry-After', ' 0.25 ', 250],
    ['retry-after', '-5', 0],
    ['retry-after', 'Mon, 30 Nov 2026 12:00:07 GMT', 7000],
    ['retry-after', 'Monday, 30-Nov-26 12:00:07 GMT', 7000],
    ['retry-after', 'Mon Nov 30 12:00:07 2026', 7000],
    ['retry-after', 'Mon, 30 Nov 2026 11:00:00 GMT', 0],
    ['retry-after', 'soon', null],
    ['retry-after', '2026', 2_026_000],
    ['retry-after', '1e3', null],
    ['retry-after', '9'.repeat(400), null],
    ['x-other', '1', null],
  ])('reads %s: %s', (name, value, wait) => {
    expect(retryAfter([[name, value]], now)).toBe(wait);
  });

  it('takes the exact header first', () => {
    expect(
      retryAfter(
        [
          ['retry-after', '2'],
          ['retry-after-ms', '10'],
        ],
        now,
      ),
    ).toBe(10);
  });
});

describe('safeHeaders', () => {
  it('drops what may carry a secret', () => {
    const names = [
      'Authorization',
      'proxy-authorization',
      'Cookie',
      'set-cookie',
      'X-Api-Key',
      'my-api-key-2',
      'x-token',
      'date',
    ];
    expect(safeHeaders(names.map(name => [name, 'x'])).map(([name]) => name)).toEqual(['date']);
  });
});

describe('redact', () => {
  it('replaces the longer of two secrets first and leaves other bytes alone', () => {
    expect(redact('ab abc', ['ab', 'abc'])).toBe('[redacted] [redacted]');
    const bytes = Buffer.from([0xff, 0x6b, 0x65, 0x79, 0xfe]);
    expect(redact(bytes, ['none'])).toBe(bytes);
    expect(Buffer.from(redact(bytes, ['key'])).toString('latin1')).toBe('\xff[redacted]\xfe');
  });
});
