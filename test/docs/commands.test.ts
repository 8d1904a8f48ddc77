// The commands in the documentation exist, and so do their options.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runCommandLine } from '../../cli/program.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Up to where the shell takes over, or a placeholder or a quoted text begins. */
const CALL = /npx scorebook ([^\n`|;&()#$]*)/g

async function help(words: readonly string[]): Promise<string> {
  const out: string[] = []
  const put = (line: string) => void out.push(line)
  const code = await runCommandLine([...words, '--help'], { env: {}, out: put, err: put, columns: 200, redraw: null })
  return code === 0 ? out.join('\n') : ''
}

/** The fault of a call, or null. */
async function faultOf(call: string): Promise<string | null> {
  const words = call.trim().split(/\s+/)
  const options = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/[.,:]$/, ''))
  const names = words
    .slice(0, words.findIndex((word) => !/^[a-z-]+$/.test(word)) >>> 0)
    .filter((word) => !word.startsWith('-'))
  const [name] = names
  if (name === undefined) return null
  const text = await help([name])
  if (text === '') return `no command ${name}`
  const second = names[1]
  const hasCommands = text.includes('\nCommands:\n')
  const own = hasCommands && second !== undefined ? await help([name, second]) : text
  if (hasCommands && second !== undefined && !new RegExp(`^ {2}${second}( |$)`, 'm').test(text))
    return `no command ${name} ${second}`
  return (
    options
      .filter((option) => option !== '--help' && !own.includes(option))
      .map((option) => `no option ${option}`)[0] ?? null
  )
}

describe('the commands in the documentation', () => {
  it('exist, with their options', async () => {
    const pages = readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !/^(decisions|reference)\//.test(name))
      .map((name) => `docs/${name}`)
    const faults: string[] = []
    let calls = 0
    for (const page of ['README.md', 'SECURITY.md', ...pages]) {
      for (const [, call = ''] of readFileSync(ROOT + page, 'utf8').matchAll(CALL)) {
        calls += 1
        const fault = await faultOf(call)
        if (fault !== null) faults.push(`${page}: ${call.trim()}: ${fault}`)
      }
    }
    expect(faults).to.deep.equal([])
    expect(calls).to.be.above(50)
  })
})
