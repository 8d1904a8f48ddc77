// No suite is dropped without a word: each pattern in the commands that run tests matches at least one file.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MOCHA = fileURLToPath(import.meta.resolve('mocha/bin/mocha.js'))
const run = promisify(execFile)

interface Outcome {
  readonly code: number
  readonly output: string
}

async function outcomeOf(args: readonly string[]): Promise<Outcome> {
  const env = { ...process.env, NODE_OPTIONS: '' }
  const { code, stdout, stderr } = await run(process.execPath, args, { cwd: ROOT, env }).then(
    (done) => ({ ...done, code: 0 }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  return { code, output: stdout + stderr }
}

/** The test file patterns in a text, such as a script of package.json. */
const patternsIn = (text: string): string[] => [...text.matchAll(/\btest\/[^'"\s]*\.ts\b/g)].map(([pattern]) => pattern)

describe('patterns of test files', () => {
  it('fails a mocha run whose pattern holds only braces, which mocha takes for a file name', async () => {
    const braces = 'test/{lockfile,vectors}.test.ts'
    const { code, output } = await outcomeOf([MOCHA, '--dry-run', 'test/lockfile.test.ts', braces])
    expect(output).to.include(`Cannot find any files matching pattern "${braces}"`)
    expect(output).to.not.include('passing')
    expect(code).to.equal(1)
  })

  it('runs mocha where every pattern matches', async () => {
    const { code, output } = await outcomeOf([MOCHA, '--dry-run', 'test/lock*.test.ts'])
    expect(output).to.include('passing')
    expect(code).to.equal(0)
  })

  it('fails the run of the slowest files first whose pattern matches nothing', async () => {
    const { code, output } = await outcomeOf(['test/mocha-slowest-first.mjs', '--dry-run', 'test/lockfiles.test.ts'])
    expect(output).to.include('Cannot find any files matching pattern "test/lockfiles.test.ts"')
    expect(code).to.equal(1)
  })

  it('runs every matching file once, the slowest first, of which each exists', async () => {
    const slowest: string[] = JSON.parse(readFileSync(`${ROOT}/test/slowest-files.json`, 'utf8'))
    expect(slowest.filter((file) => !existsSync(`${ROOT}/${file}`))).to.deep.equal([])
    const [first = ''] = slowest.filter((file) => file.startsWith('test/ranking/'))
    const patterns = ['test/lockfile.test.ts', 'test/ranking/*.test.ts', first]
    const { code, output } = await outcomeOf(['test/mocha-slowest-first.mjs', '--dry-run', ...patterns])
    expect(code).to.equal(0)
    const heads = [...output.matchAll(/^ {2}(\S.*)$/gm)].map(([, head]) => head)
    expect(heads[0]).to.equal('sorted blocks')
    expect(heads).to.deep.equal([...new Set(heads)])
    expect(heads).to.include.members(['package-lock.json', 'a window index'])
  })

  it('matches at least one file with each pattern in package.json and .ci/run', async () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'))
    const run = patternsIn(readFileSync(`${ROOT}/.ci/run`, 'utf8'))
    const named = Object.values(scripts)
      .filter((script) => script.includes('mocha'))
      .map((script) => patternsIn(script.replace(/--ignore '[^']*'/g, '')))
    expect(named.flat().length).to.be.greaterThan(5)
    expect(run.length).to.be.greaterThan(1)
    const patterns = [...new Set([...named.flat(), ...run])].filter((pattern) => pattern !== 'test/proof.ts')
    const { code, output } = await outcomeOf(['test/every-pattern-matches.mjs', ...patterns])
    expect(output).to.equal('')
    expect(code).to.equal(0)
  })
})
