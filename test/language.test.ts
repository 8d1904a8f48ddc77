// Keeps archaic and private expressions out of new text; docs/glossary.md has the terms to use.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { PHRASES } from './banned-phrases.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LIST = 'test/banned-phrases.ts'
const TEXT = /\.(tsx?|mjs|css|html|md|sh|yaml)$/
const PHRASE = new RegExp(`\\b(?:${PHRASES.join('|')})\\b`, 'gi')

/** Line breaks and comment marks between the words of a phrase count as one space. */
const flat = (text: string): string => text.replace(/\s*\n\s*(?:\/\/|\*)?\s*/g, ' ')

describe('language', () => {
  it('uses none of the banned phrases', () => {
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    const found = files
      .split('\n')
      .filter((file) => TEXT.test(file) && file !== LIST)
      .flatMap((file) =>
        (flat(readFileSync(`${ROOT}/${file}`, 'utf8')).match(PHRASE) ?? []).map((phrase) => `${file}: ${phrase}`),
      )
    expect(found).to.deep.equal([])
  })
})
