// Fails a mocha run when one of its file patterns matches no file. Mocha itself only prints a warning, so a misspelt
// pattern would silently drop a suite. `.mocharc.json` loads this in every run; it uses mocha's own look-up.

import { lookupFiles } from 'mocha/lib/cli/lookup-files.js'
import options from 'mocha/lib/cli/options.cjs'

const { _: patterns, extension, recursive } = options.loadOptions(process.argv.slice(2))
for (const pattern of patterns) lookupFiles(pattern, extension, recursive)
