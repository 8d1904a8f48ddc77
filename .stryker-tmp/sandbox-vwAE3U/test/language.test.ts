// Keeps archaic and private expressions out of new text; docs/glossary.md has the terms to use.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { PHRASES, REMAINING } from './banned-phrases.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The list of phrases itself, and the decisions and changes of the past. */
const EXEMPT = /^(test\/banned-phrases\.ts|docs\/decisions\/|CHANGELOG\.md)/
const TEXT = /\.(ts|mjs|md|sh|yaml)$/
const PHRASE = new RegExp(`\\b(?:${PHRASES.join('|')})\\b`, 'gi')

const topFolderOf = (file: string): string => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '.')

/** Line breaks and comment marks between the words of a phrase count as one space. */
const flat = (text: string): string => text.replace(/\s*\n\s*(?:\/\/|\*)?\s*/g, ' ')

describe('language', () => {
  it('uses none of the banned phrases beyond those that are left to rewrite in each folder', () => {
    const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    const counts: Record<string, number> = {}
    for (const file of files.split('\n')) {
      if (!TEXT.test(file) || EXEMPT.test(file)) continue
      const found = flat(readFileSync(`${ROOT}/${file}`, 'utf8')).match(PHRASE)?.length ?? 0
      const folder = topFolderOf(file)
      if (found > 0) counts[folder] = (counts[folder] ?? 0) + found
    }
    expect(counts, 'lower REMAINING where you rewrote, and write new text without these phrases').to.deep.equal(
      REMAINING,
    )
  })
})
