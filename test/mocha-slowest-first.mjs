// Runs mocha with the files of slowest-files.json first, as far as the patterns match them. A parallel run begins the files in
// this order, so that no process is in a long file while the others have none left.

import { readFileSync } from 'node:fs'
import { lookupFiles } from 'mocha/lib/cli/lookup-files.js'
import options from 'mocha/lib/cli/options.cjs'

const slowest = JSON.parse(readFileSync(new URL('slowest-files.json', import.meta.url), 'utf8'))
const args = process.argv.slice(2)
const { _: patterns, extension, recursive } = options.loadOptions(args)
const files = new Set(patterns.flatMap((pattern) => lookupFiles(pattern, extension, recursive)))
const first = slowest.filter((file) => files.delete(file))
process.argv.splice(2, args.length, ...args.filter((arg) => !patterns.includes(arg)), ...first, ...files)
await import('mocha/bin/mocha.js')
