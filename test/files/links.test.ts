import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { getToken, linkOf, putToken } from '../../stores/files/local.ts'
import { newId } from '../bytes.ts'
import { call } from '../http/pipeline-calls.ts'
import { begin, EXPIRES_MS, KEY, linkTo, openFilesApi } from './files-api.ts'

const NOW_MS = 1_000
const text = fc.string({ unit: 'binary', maxLength: 255 })
const sha256 = fc.option(fc.constant('ab'.repeat(32)))
const expected = fc.record({ blob: text, size: fc.maxSafeNat(), contentType: text, sha256 })

describe('Links to files’ bytes', () => {
  it('decode to what they were made of until they expire, and contain only path characters', () => {
    fc.assert(
      fc.property(expected, text, text, text, (facts, upload, name, bucket) => {
        const offered = { ...facts, name, bucket, download: upload }
        const put = putToken(KEY, upload, facts, NOW_MS)
        const get = getToken(KEY, offered, NOW_MS)
        expect(put + get).to.match(/^[A-Za-z0-9._-]+$/)
        expect(linkOf(KEY, put, NOW_MS - 1)).to.deep.equal({ kind: 'put', upload, expected: facts, expiresMs: NOW_MS })
        expect(linkOf(KEY, get, NOW_MS - 1)).to.deep.equal({ kind: 'get', offered, expiresMs: NOW_MS })
        expect([linkOf(KEY, put, NOW_MS), linkOf(KEY, get, NOW_MS)]).to.deep.equal([null, null])
        expect(linkOf(new Uint8Array(32), put, 0)).to.equal(null)
      }),
    )
  })

  it('are invalid if any character is changed, removed or added', () => {
    const facts = { blob: newId(), size: 5, contentType: 'a/b', sha256: null }
    const token = putToken(KEY, newId(), facts, NOW_MS)
    for (let at = 0; at < token.length; at++) {
      for (const other of ['A', 'B', '_', '.', '=', ' ', '']) {
        if (other === token[at]) continue
        expect(linkOf(KEY, token.slice(0, at) + other + token.slice(at + 1), 0)).to.equal(null)
      }
      expect(linkOf(KEY, token.slice(0, at), 0)).to.equal(null)
    }
    for (const odd of ['', '.', `${token}A`, `.${token}`, `${token}.`, 'x'.repeat(100_000), `${'x'.repeat(9_000)}.x`]) {
      expect(linkOf(KEY, odd, 0)).to.equal(null)
    }
    expect(linkOf(KEY, token, 0)?.kind).to.equal('put')
  })

  it('are short enough for every path, with the longest names', () => {
    const names = { contentType: 'x'.repeat(255), name: '"'.repeat(255), bucket: newId(), download: newId() }
    const offered = { blob: newId(), size: 2 ** 50, sha256: 'a'.repeat(64), ...names }
    expect(linkOf(KEY, getToken(KEY, offered, NOW_MS), 0)).to.deep.include({ offered })
    expect(getToken(KEY, offered, NOW_MS).length).to.be.lessThan(2_000)
  })

  it('appear in no log line and no metric, also when their route fails', async () => {
    const api = await openFilesApi()
    const bytes = randomBytes(1_000)
    const { path } = await begin(api, bytes)
    api.before = async () => {
      throw new Error(`cannot PUT ${path}`)
    }
    const put = () => call(api.url + path, { method: 'PUT', body: bytes })
    expect((await put()).json.code).to.equal('internal')
    expect(api.lines.join('')).to.include('cannot PUT /api/files/local/[redacted]')
    api.before = async () => {}
    await put()
    const get = await linkTo(api, newId())
    await call(api.url + get)
    await call(`${api.url}${get}/more/`)
    api.clock.nowMs = EXPIRES_MS
    await call(api.url + get)
    const output = api.lines.join('') + (await api.metrics.metrics())
    for (const one of [path, get]) expect(output).not.to.include(one.split('/').at(-1))
    expect(output).to.include('"route":"/api/files/local/:token/"')
    await api.close()
  })
})
