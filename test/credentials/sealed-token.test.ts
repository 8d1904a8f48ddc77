import { createDecipheriv, hkdfSync } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { createTokenSeal } from '../../credentials/sealed-token.ts'

const KEY = Uint8Array.from({ length: 32 }, (_, n) => n)
const TOKEN = /^[A-Za-z0-9_-]{144}$/
const TOKENS_PER_SALT = 65_536
const text = fc.string({
  unit: fc.integer({ min: 1, max: 127 }).map((code) => String.fromCharCode(code)),
  maxLength: 64,
  size: 'max',
})

const saltOf = (token: string): string => Buffer.from(token, 'base64url').toString('hex', 0, 16)
const nonceOf = (token: string): string => Buffer.from(token, 'base64url').toString('hex', 16, 28)

describe('A sealed token', () => {
  const seal = createTokenSeal(KEY)

  it('decrypts to its text in every process with the key, in any order', () => {
    const other = createTokenSeal(KEY)
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (texts) => {
        const tokens = texts.map((one) => seal.seal(one))
        expect(tokens.map((one) => seal.open(one))).to.deep.equal(texts)
        expect(tokens.toReversed().map((one) => other.open(one))).to.deep.equal(texts.toReversed())
      }),
    )
  })

  it('has the same length for every text and is never the same twice, in one process or two', () => {
    const other = createTokenSeal(KEY)
    const tokens = ['', 'a', 'a', 'x'.repeat(64)].flatMap((one) => [seal.seal(one), other.seal(one)])
    for (const token of tokens) expect(token).to.match(TOKEN)
    expect(new Set(tokens).size).to.equal(tokens.length)
    // Beyond the salt of the process, two tokens of one text share no more of their bytes than any two tokens.
    const [one, two] = [seal.seal('g\n0001'), seal.seal('g\n0001')].map((token) => Buffer.from(token, 'base64url'))
    const alike = [...(one as Buffer).subarray(16)].filter((byte, at) => byte === (two as Buffer)[16 + at])
    expect(alike.length).to.be.below(12)
  })

  it('is AES-256-GCM under a key that HKDF-SHA256 derives from the salt in the token', () => {
    const token = Buffer.from(seal.seal('some text'), 'base64url')
    const key = hkdfSync('sha256', KEY, token.subarray(0, 16), 'scorebook consistency token key 1', 32)
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key), token.subarray(16, 28))
    decipher.setAuthTag(token.subarray(92))
    const plain = Buffer.concat([decipher.update(token.subarray(28, 92)), decipher.final()])
    expect(plain.toString('latin1')).to.equal('some text'.padEnd(64, '\0'))
  })

  it('has a new salt in each process and after 65,536 tokens, and no nonce twice', () => {
    const own = createTokenSeal(KEY)
    const tokens = Array.from({ length: TOKENS_PER_SALT + 1 }, () => own.seal('g'))
    const salts = tokens.map(saltOf)
    expect(new Set(salts.slice(0, TOKENS_PER_SALT)).size).to.equal(1)
    expect(new Set([salts.at(0), salts.at(-1), saltOf(seal.seal('g'))]).size).to.equal(3)
    expect(new Set(tokens.map(nonceOf)).size).to.equal(tokens.length)
    expect([own.open(tokens.at(0) ?? ''), own.open(tokens.at(-1) ?? '')]).to.deep.equal(['g', 'g'])
  })

  it('is rejected if any bit or its length differs, and with another key', () => {
    const token = Buffer.from(seal.seal('some text'), 'base64url')
    for (let bit = 0; bit < token.length * 8; bit++) {
      const altered = Buffer.from(token)
      altered[bit >> 3] = (altered[bit >> 3] as number) ^ (1 << (bit & 7))
      expect([bit, seal.open(altered.toString('base64url'))]).to.deep.equal([bit, null])
    }
    const sent = token.toString('base64url')
    for (const bad of [
      '',
      sent.slice(1),
      sent.slice(0, -4),
      `${sent}AAAA`,
      `${sent.slice(0, -1)}!`,
      sent.replace(/./, 'é'),
    ]) {
      expect(seal.open(bad)).to.equal(null)
    }
    for (const at of [0, 31]) {
      const other = KEY.map((byte, n) => (n === at ? byte ^ 1 : byte))
      expect(createTokenSeal(other).open(sent)).to.equal(null)
    }
    expect(seal.open(sent)).to.equal('some text')
  })

  it('accepts texts of up to 64 characters', () => {
    expect(seal.open(seal.seal('x'.repeat(64)))).to.equal('x'.repeat(64))
    expect(() => seal.seal('x'.repeat(65))).to.throw(RangeError)
  })
})
