// What is sealed comes out again, and tells nothing to who has no key.

import { createCipheriv } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { createTokenSeal } from '../../credentials/sealed-token.ts'

const KEY = Uint8Array.from({ length: 64 }, (_, n) => n)
const TOKEN = /^[A-Za-z0-9_-]{128}$/
const text = fc.string({
  unit: fc.integer({ min: 1, max: 127 }).map((code) => String.fromCharCode(code)),
  maxLength: 64,
  size: 'max',
})

describe('a sealed token', () => {
  const seal = createTokenSeal(KEY)

  it('is opened to what was sealed, here and in any process with the key, in any order', () => {
    const other = createTokenSeal(KEY)
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (texts) => {
        const tokens = texts.map((one) => seal.seal(one))
        expect(tokens.map((one) => seal.open(one))).to.deep.equal(texts)
        expect(tokens.toReversed().map((one) => other.open(one))).to.deep.equal(texts.toReversed())
      }),
    )
  })

  it('is as long whatever it says, and never the same twice, in one process or two', () => {
    const other = createTokenSeal(KEY)
    const tokens = ['', 'a', 'a', 'x'.repeat(64)].flatMap((one) => [seal.seal(one), other.seal(one)])
    for (const token of tokens) expect(token).to.match(TOKEN)
    expect(new Set(tokens).size).to.equal(tokens.length)
    // Two that say the same share no more of their bytes than any two do.
    const [one, two] = [seal.seal('g\n0001'), seal.seal('g\n0001')].map((token) => Buffer.from(token, 'base64url'))
    const alike = [...(one as Buffer)].filter((byte, at) => byte === (two as Buffer)[at])
    expect(alike.length).to.be.below(12)
  })

  it('is SIV as it is written down: the keystream of its MAC, the MAC of what that lays open', () => {
    const token = Buffer.from(seal.seal('what it says'), 'base64url')
    const block = (key: Uint8Array, bytes: Uint8Array) =>
      createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(bytes)
    const shown = token.subarray(0, 16)
    const plain = Buffer.concat(
      [0, 1, 2, 3, 4].map((n) => {
        const counter = Buffer.from(shown)
        counter[15] = ((counter[15] as number) + n) & 0xff
        const stream = block(KEY.subarray(32), counter)
        return stream.map((byte, at) => byte ^ (token[16 + 16 * n + at] as number))
      }),
    )
    expect(plain.subarray(16).toString('latin1')).to.equal('what it says'.padEnd(64, '\0'))
    let mac: Uint8Array = Buffer.alloc(16)
    for (let at = 0; at < 80; at += 16)
      mac = block(
        KEY.subarray(0, 32),
        mac.map((byte, n) => byte ^ (plain[at + n] as number)),
      )
    expect(Buffer.from(mac).toString('hex')).to.equal(shown.toString('hex'))
  })

  it('that was altered in any bit, cut or made longer, or that another key sealed, is none', () => {
    const token = Buffer.from(seal.seal('what it says'), 'base64url')
    for (let bit = 0; bit < token.length * 8; bit++) {
      const bent = Buffer.from(token)
      bent[bit >> 3] = (bent[bit >> 3] as number) ^ (1 << (bit & 7))
      expect([bit, seal.open(bent.toString('base64url'))]).to.deep.equal([bit, null])
    }
    const said = token.toString('base64url')
    for (const bad of [
      '',
      said.slice(1),
      said.slice(0, -4),
      `${said}AAAA`,
      `${said.slice(0, -1)}!`,
      said.replace(/./, 'é'),
    ]) {
      expect(seal.open(bad)).to.equal(null)
    }
    for (const at of [0, 40]) {
      const other = KEY.map((byte, n) => (n === at ? byte ^ 1 : byte))
      expect(createTokenSeal(other).open(said)).to.equal(null)
    }
    expect(seal.open(said)).to.equal('what it says')
  })

  it('holds 64 characters', () => {
    expect(seal.open(seal.seal('x'.repeat(64)))).to.equal('x'.repeat(64))
    expect(() => seal.seal('x'.repeat(65))).to.throw(RangeError)
  })
})
