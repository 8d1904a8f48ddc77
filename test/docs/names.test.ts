// Names that documents and comments cite exist: constants in comments of the source, files and folders in documents.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from '@babel/parser'
import { expect } from 'chai'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Folders below the root without text of ours. */
const FOREIGN = /^(?:\.git|node_modules|dist|reports|coverage|\.\w+)$/
/** The notes of the archive name files as they were then. */
const OF_THE_PAST = /^docs\/decisions\/archive\/|^CHANGELOG\.md$/
const CONSTANT = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g
/** Constants of SQLite, which a comment explains. */
const OF_OTHERS = /^IOERR_/
/** What commands make, or a reader of a tutorial. */
const MADE: readonly string[] = ['docs/reference/configuration.md', 'docs/site/dist/']

function filesBelow(folder: string): string[] {
  return readdirSync(ROOT + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`
    if (!entry.isDirectory()) return [path]
    return FOREIGN.test(entry.name) ? [] : [`${path}/`, ...filesBelow(`${path}/`)]
  })
}

const paths = filesBelow('')
const read = (path: string): string => readFileSync(ROOT + path, 'utf8')

/** The text of the comments of a source file, and the rest of it. */
function split(path: string): { readonly comments: string; readonly code: string } {
  const text = read(path)
  const { comments } = parse(text, { sourceType: 'module', plugins: ['typescript', 'jsx'] })
  let code = ''
  let at = 0
  for (const { start, end } of comments ?? []) {
    code += text.slice(at, start ?? at)
    at = end ?? at
  }
  return { comments: (comments ?? []).map(({ value }) => value).join('\n'), code: code + text.slice(at) }
}

describe('names in comments and documents', () => {
  it('are constants that the source has, where a comment names one', () => {
    const sources = paths.filter((path) => /\.tsx?$/.test(path)).map((path) => ({ path, ...split(path) }))
    const known = new Set(sources.flatMap(({ code }) => code.match(CONSTANT) ?? []))
    const cited = sources.flatMap(({ path, comments }) =>
      (comments.match(CONSTANT) ?? []).map((name) => ({ path, name })),
    )
    expect(cited.length).to.be.greaterThan(50)
    const missing = cited.filter(({ name }) => !known.has(name) && !OF_OTHERS.test(name))
    expect(missing.map(({ path, name }) => `${path}: ${name}`)).to.deep.equal([])
  })

  it('are files and folders that exist, where a document names one', () => {
    const documents = paths.filter((path) => path.endsWith('.md') && !OF_THE_PAST.test(path))
    const tops = new Set(paths.filter((path) => path.includes('/')).map((path) => path.split('/')[0]))
    const isPath = (text: string) =>
      /^[\w.*-]+(?:\/[\w.*-]+)*\/?$/.test(text) &&
      !MADE.includes(text) &&
      (/\.tsx?$/.test(text) || (text.includes('/') && tops.has(text.split('/')[0])))
    const cited = documents.flatMap((document) =>
      [...read(document).matchAll(/`([^`\n]+)`/g)]
        .map(([, text = '']) => ({ document, text }))
        .filter(({ text }) => isPath(text)),
    )
    expect(cited.length).to.be.greaterThan(300)
    const exists = (text: string) => {
      const end = new RegExp(`(?:^|/)${text.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}/?$`)
      return paths.some((path) => end.test(path))
    }
    const missing = cited.filter(({ text }) => !exists(text)).map(({ document, text }) => `${document}: ${text}`)
    expect(missing).to.deep.equal([])
  })
})
