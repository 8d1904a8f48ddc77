// `node --import` this file: each module of the program or of a package that the process imports adds a line to the file that
// COUNTED_IMPORTS names.

import { appendFileSync } from 'node:fs'
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) register(import.meta.url)

export async function load(url, context, next) {
  if (url.startsWith('file:') && !url.endsWith('imports-counted.mjs')) {
    appendFileSync(process.env.COUNTED_IMPORTS, `${url}\n`)
  }
  return next(url, context)
}
