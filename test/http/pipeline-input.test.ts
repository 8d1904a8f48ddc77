// How query, path and body of a call are read, and the fields that schemas share.

import { expect } from 'chai'
import type { z } from 'zod'
import { instant, name, permissionString, sinceInstant, untilInstant } from '../../http/fields.ts'
import { call, callRaw, type Sent } from './pipeline-calls.ts'
import { createWorld, type World } from './pipeline-world.ts'

const SCORE = '/api/lb/b1/score/'
const PAGE = 'must be a whole number from 1 to 100, in plain digits'

const QUERIES: readonly (readonly [string, unknown])[] = [
  ['limit=5&limit=5', [{ pointer: '/limit', detail: 'is given twice: keep one' }]],
  ['lim=5', [{ pointer: '/lim', detail: 'unknown parameter: remove it' }]],
  ['__proto__=5', [{ pointer: '/__proto__', detail: 'unknown parameter: remove it' }]],
  ['limit=', [{ pointer: '/limit', detail: 'is empty: give it a value or leave it out' }]],
  ['limit', [{ pointer: '/limit', detail: 'is empty: give it a value or leave it out' }]],
  ['limit=0', [{ pointer: '/limit', detail: PAGE }]],
  ['limit=101', [{ pointer: '/limit', detail: PAGE }]],
  ['limit=%2B5', [{ pointer: '/limit', detail: PAGE }]],
  ['limit=+5', [{ pointer: '/limit', detail: PAGE }]],
  ['limit=05', [{ pointer: '/limit', detail: PAGE }]],
  ['limit=1e1', [{ pointer: '/limit', detail: PAGE }]],
  ['limit=5.0', [{ pointer: '/limit', detail: PAGE }]],
  ['limit=%35%', [{ pointer: '/limit', detail: 'is not percent-encoded UTF-8' }]],
  ['player_name=%ff', [{ pointer: '/player_name', detail: 'is not percent-encoded UTF-8' }]],
  ['player_name=%ed%a0%80', [{ pointer: '/player_name', detail: 'is not percent-encoded UTF-8' }]],
  ['player_name=%00', [{ pointer: '/player_name', detail: 'contains a NUL character: remove it' }]],
  ['%ff=1', [{ pointer: '/%ff', detail: 'a parameter’s name is not percent-encoded UTF-8' }]],
]

const FIELDS: readonly (readonly [unknown, unknown])[] = [
  [
    { score: 5 },
    [{ pointer: '/score', detail: 'must be a decimal string such as "12.5": a number would lose digits' }],
  ],
  [{}, [{ pointer: '/score', detail: 'is missing: must be a decimal string such as "12.5"' }]],
  [
    { score: '1', 'a/b': 1, c: 2 },
    [
      { pointer: '/a~1b', detail: 'unknown field: remove it' },
      { pointer: '/c', detail: 'unknown field: remove it' },
    ],
  ],
  [
    { score: '1', player_name: ' Ada' },
    [{ pointer: '/player_name', detail: 'must not begin or end with a space: trim it' }],
  ],
  [[], [{ pointer: '', detail: 'must be an object' }]],
]

describe('input of callers', () => {
  let world: World
  before(async () => {
    world = await createWorld()
  })
  after(() => world.close())

  const post = (sent: Sent) => call(world.url + SCORE, { method: 'POST', token: 'tenant', ...sent })

  for (const [query, errors] of QUERIES) {
    it(`refuses ?${query}`, async () => {
      const answer = await call(`${world.url}${SCORE}?${query}`, { token: 'tenant' })
      expect([answer.status, answer.json.errors]).to.deep.equal([400, errors])
    })
  }

  it('refuses bytes in a query that are not percent-encoded', async () => {
    const text = `GET ${SCORE}?player_name=\xe9 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer tenant\r\n\r\n`
    const answer = await callRaw(world.port, Buffer.from(text, 'latin1'))
    expect([answer.status, answer.json.code]).to.deep.equal([400, 'malformed'])
  })

  it('decodes a query once, with + as a space', async () => {
    const answer = await call(`${world.url}${SCORE}?player_name=A%2525+b&limit=100&offset=1000000000`, {
      token: 'tenant',
    })
    expect(answer.json.query).to.deep.equal({ limit: 100, offset: 1_000_000_000, player_name: 'A%25 b' })
  })

  it('refuses a query for a call that takes none', async () => {
    const answer = await call(`${world.url}${SCORE}?a=1`, { method: 'POST', token: 'tenant', body: { score: '1' } })
    expect(answer.json.errors).to.deep.equal([{ pointer: '/a', detail: 'unknown parameter: remove it' }])
  })

  for (const [body, errors] of FIELDS) {
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const answer = await post({ body })
      expect([answer.status, answer.json.errors]).to.deep.equal([400, errors])
    })
  }

  it('brings a body to its canonical form', async () => {
    const answer = await post({ body: { score: '1.50', extra_data: { b: [null] }, player_name: 'Ame\u0301lie' } })
    expect([answer.status, answer.json.body]).to.deep.equal([
      201,
      { score: '1.5', extra_data: { b: [null] }, player_name: 'Am\u00e9lie' },
    ])
  })

  it('accepts application/json in UTF-8 only', async () => {
    const body = { score: '1' }
    for (const type of [
      'application/json',
      'Application/JSON; charset=UTF-8',
      'application/json;charset="utf-8"',
      'application/json; charset="ut\\f-8"',
      'application/json; charset=utf8',
      'application/json;',
      'application/json ; version=1',
      'application/json; version=1; charset=utf-8; a="b;charset=latin1"',
      'application/json; odata.metadata=minimal;;profile="a\\"b"',
      'application/json; charset',
    ]) {
      expect([type, (await post({ body, headers: { 'content-type': type } })).status]).to.deep.equal([type, 201])
    }
    for (const type of [
      'text/json',
      'application/json; charset=latin1',
      'application/json; charset=utf-16',
      'application/json; charset=',
      'application/json; CHARSET="us-ascii"',
      'application/json; version=1; charset=latin1',
      'application/json; charset=utf-8; charset=latin1',
      'application/json; a="b',
      'application/json, application/json',
      'application/problem+json',
      'application/jsonx',
      '',
    ]) {
      expect([type, (await post({ body, headers: { 'content-type': type } })).status]).to.deep.equal([type, 415])
    }
    expect((await post({ body, headers: { 'content-encoding': 'gzip' } })).status).to.equal(415)
    expect((await post({ body, headers: { 'content-encoding': 'identity' } })).status).to.equal(201)
  })

  it('skips one byte order mark before a body', async () => {
    const marked = (text: string) => post({ body: text })
    expect((await marked('\ufeff{"score":"1"}')).json.body).to.deep.equal({ score: '1' })
    for (const text of ['\ufeff\ufeff{"score":"1"}', ' \ufeff{"score":"1"}', '{"score":"1"}\ufeff', '\ufeff']) {
      const answer = await marked(text)
      expect([text, answer.status, answer.json.code]).to.deep.equal([text, 400, 'malformed'])
    }
    const utf16 = Buffer.from('\ufeff{"score":"1"}', 'utf16le')
    expect((await post({ body: utf16 })).json.errors).to.deep.equal([{ pointer: '', detail: 'is not valid UTF-8' }])
  })

  it('accepts 64 KiB and not one byte more, also in chunks', async () => {
    const sized = (bytes: number) => `{"score":"1","extra_data":"${'x'.repeat(bytes - 29)}"}`
    expect(sized(65_536)).to.have.length(65_536)
    expect((await post({ body: sized(65_536) })).status).to.equal(201)
    expect((await post({ body: sized(65_537) })).status).to.equal(413)
    const head = `POST ${SCORE} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer tenant\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const chunked = (text: string) => `${head}${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
    expect((await callRaw(world.port, chunked(sized(65_536)))).status).to.equal(201)
    expect((await callRaw(world.port, chunked(sized(65_537)))).status).to.equal(413)
  })

  it('accepts no body or {} for a call without a body, and nothing else', async () => {
    const redeem = `${world.url}/api/auth/jwt/redeem/`
    expect((await call(redeem, { method: 'POST' })).json.errors).to.deep.equal([
      { pointer: '/request_id', detail: 'is missing: must be text' },
    ])
    const get = (body: string) => {
      const length = `Content-Type: application/json\r\nContent-Length: ${body.length}`
      return callRaw(
        world.port,
        `GET ${SCORE} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer tenant\r\n${length}\r\n\r\n${body}`,
      )
    }
    expect((await get('')).status).to.equal(200)
    expect((await get('{}')).status).to.equal(200)
    expect((await get('{"a":1}')).json.errors).to.deep.equal([
      { pointer: '', detail: 'this call takes no body: send none, or {}' },
    ])
  })
})

const outcome = (schema: z.ZodType, value: unknown) => {
  const result = schema.safeParse(value)
  return result.success ? result.data : null
}

describe('the fields of schemas', () => {
  const TIMES: readonly (readonly [string, string | null])[] = [
    ['2026-11-21T07:05:01Z', '2026-11-21T07:05:01.000Z'],
    ['2026-11-21T07:05:01.1239Z', '2026-11-21T07:05:01.123Z'],
    ['2026-11-21T07:05:01+05:30', '2026-11-21T01:35:01.000Z'],
    ['2026-01-01T00:00:00-23:59', '2026-01-01T23:59:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2023-02-29T00:00:00Z', null],
    ['2026-04-31T00:00:00Z', null],
    ['2026-13-01T00:00:00Z', null],
    ['2026-00-01T00:00:00Z', null],
    ['2026-01-00T00:00:00Z', null],
    ['0000-01-01T00:00:00Z', null],
    ['2026-11-21T24:00:00Z', null],
    ['2026-11-21T07:05:60Z', null],
    ['2026-11-21T07:05:01', null],
    ['2026-11-21T07:05Z', '2026-11-21T07:05:00.000Z'],
    ['2026-11-21t07:05:01z', '2026-11-21T07:05:01.000Z'],
    ['2026-11-21T07:05+01', '2026-11-21T06:05:00.000Z'],
    ['2026-11-21t07:05-0130', '2026-11-21T08:35:00.000Z'],
    ['2026-11-21T07:05:01.5+0100', '2026-11-21T06:05:01.500Z'],
    ['2026-01-01T00:00+23:59', '2025-12-31T00:01:00.000Z'],
    ['2026-11-21T07:05', null],
    ['2026-11-21T07Z', null],
    ['2026-11-21T07:05.5Z', null],
    ['2026-11-21T07:05+1', null],
    ['2026-11-21T07:05+24', null],
    ['2026-11-21T07:05+0160', null],
    ['2026-11-21T07:05Z+01', null],
    ['20261121T0705Z', null],
    ['2026-11-21T07:05:01 05:30', null],
    ['2026-11-21 07:05:01Z', null],
    ['2026-11-21', null],
    ['9999-12-31T23:59:59-01:00', null],
    ['1766300701', null],
  ]
  for (const [text, expected] of TIMES) {
    it(`parses the instant ${text}: ${expected}`, () => expect(outcome(instant, text)).to.equal(expected))
  }

  it('treats a bare date as the start or the end of a range', () => {
    expect(outcome(sinceInstant, '2026-11-21')).to.equal('2026-11-21T00:00:00.000Z')
    expect(outcome(untilInstant, '2026-12-31')).to.deep.equal({ before: '2027-01-01T00:00:00.000Z', wholeDay: true })
    expect(outcome(untilInstant, '9999-12-31')).to.deep.equal({ before: '9999-12-31T23:59:59.999Z', wholeDay: true })
    expect(outcome(untilInstant, '2023-02-29')).to.equal(null)
    expect(outcome(untilInstant, '2026-11-21T00:00:00Z')).to.deep.equal({
      before: '2026-11-21T00:00:00.000Z',
      wholeDay: false,
    })
  })

  it('accepts names of 1 to 64 code points after NFC, without control or bidi characters or spaces at the ends', () => {
    expect(outcome(name, 'A\u030a')).to.equal('\u00c5')
    expect(outcome(name, '\u{1f600}'.repeat(64))).to.equal('\u{1f600}'.repeat(64))
    expect(outcome(name, 'e\u0301'.repeat(64))).to.equal('\u00e9'.repeat(64))
    const refused = [
      '',
      'a'.repeat(65),
      '\u{1f600}'.repeat(65),
      'a\u0000',
      'a\u0085b',
      'a\u202eb',
      'a\u2066b',
      'a\u200fb',
      ' a',
      'a ',
      'a\u00a0',
      '\ufeffa',
      'a\u200bb',
      '\u0301',
      5,
      null,
    ]
    for (const text of refused) expect([text, outcome(name, text)]).to.deep.equal([text, null])
  })

  it('accepts permissions of parts joined by colons', () => {
    for (const text of ['submit_for', 'lb:*:submit', 'gm:a-B_9:*'])
      expect(outcome(permissionString, text)).to.equal(text)
    for (const text of ['', ':', 'a:', 'a::b', 'a*', 'a:**', 'a|b', 'é', 'a'.repeat(129)]) {
      expect([text, outcome(permissionString, text)]).to.deep.equal([text, null])
    }
  })
})
