// Warns about style: `tsx tools/style/main.ts`, the last step of `npm run check`. Prints one line for each finding:
// code that is too large to read alone, comments that are too wide, and expressions that a reader has to decode. It
// always exits with 0: a finding is worth a look, not a broken build.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PHRASES } from './phrases.ts'
import { oversizes, wideComments } from './sizes.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCE = /\.tsx?$/
const TEXT = /\.(tsx?|mjs|css|html|md|sh|yaml)$/
/** Their functions are programs of measurements and tests. */
const NOT_SIZED = /^(bench|test)\//
const PHRASE = new RegExp(`\\b(?:${PHRASES.join('|')})\\b`, 'gi')

/** Line breaks and comment marks between the words of a phrase count as one space. */
const flat = (text: string): string => text.replace(/\s*\n\s*(?:\/\/|\*)?\s*/g, ' ')

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
const files = [...new Set(listed.toString().split('\n'))].filter((file) => TEXT.test(file))

const findings = files.flatMap((file) => {
  const text = readFileSync(`${ROOT}/${file}`, 'utf8')
  const phrases = file.startsWith('tools/style/') ? [] : (flat(text).match(PHRASE) ?? [])
  return [
    ...(SOURCE.test(file) && !NOT_SIZED.test(file) ? oversizes(file, text) : []),
    ...(SOURCE.test(file) ? wideComments(file, text).map((where) => `wide comment ${where}`) : []),
    ...phrases.map((phrase) => `phrase ${file}: ${phrase}`),
  ]
})

for (const finding of findings) process.stdout.write(`warning: ${finding}\n`)
process.stdout.write(`${files.length} files, ${findings.length} warnings of style\n`)
