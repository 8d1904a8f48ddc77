// Follows the tutorial "A weekly board this afternoon" literally, in one shell, on a server whose clock says Wednesday
// noon: no hour, week or month ends meanwhile. Only the address is replaced.

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { openServed, type Served } from '../cli/served.ts'
import { installClient } from '../clients/javascript/installed.ts'
import { type DocsFolder, docsFolder } from './folder.ts'
import { example } from './pages.ts'

const run = promisify(execFile)
const NOON = Date.parse('2026-11-25T12:00:00Z')
const SHELL = ['', '-submit', '-curl', '-close', '-ban', '-schedule'].map((step) => `weekly-board${step}`)

/** The rows of a table of scores, without the last column, their time. */
const rows = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /^ +(\d+ +(?:\d+ +)?[A-Z]\w+ +\d+) +\d{4}-/.exec(line)?.[1]?.replace(/ +/g, ' ') ?? [])

describe('the tutorial of a weekly board', function () {
  this.timeout(600_000)
  let served: Served
  let folder: DocsFolder
  let printed: readonly (readonly string[])[]

  before(async () => {
    const ahead = NOON - Date.now()
    served = await openServed({}, () => Date.now() + ahead)
    folder = await docsFolder(served.url, served.dataDir)
    await installClient(folder.path)
    const here = (name: string) => example(name).replaceAll('http://127.0.0.1:8080', served.url)
    await writeFile(join(folder.path, 'weeks.mjs'), here('weekly-board-node'))
    const code = SHELL.map(here).join('\necho ---\n')
    const options = { cwd: folder.path, env: folder.env }
    const { stdout } = await run('bash', ['--norc', '--noprofile', '-euo', 'pipefail', '-c', code], options)
    printed = stdout.split(/^---\n/m).map((part) => part.split('\n'))
  })
  after(async () => {
    await served?.close()
    await folder?.remove()
  })

  const linesOf = (step: number): readonly string[] => printed[step] ?? []

  it('makes a leaderboard with weekly seasons in one command', () => {
    expect(linesOf(0)).to.include('  seasons      weekly (Europe/Berlin)')
  })

  it('shows the season that each score joins, and lists the season until Monday at 0:00 in Berlin', () => {
    expect(linesOf(1).slice(0, 2)).to.deep.equal([
      '{ season: 1, rank: 1, improved: true }',
      '{ season: 1, rank: 2, improved: true }',
    ])
    expect(rows(linesOf(1))).to.deep.equal(['1 Ada 900', '2 Grace 700'])
    expect(linesOf(1).at(-2)).to.match(/^ +1 +2026-11-25 12:\S+ +2026-11-29 23:00:00 +open +2 +2$/)
  })

  it('submits and reads with curl', () => {
    expect(linesOf(2)).to.deep.equal(['{ season: 1, rank: 2, improved: true }', '2', 'open', ''])
  })

  it('closes a season by another schedule, and shows both seasons and the whole leaderboard', () => {
    expect(linesOf(3)).to.include('  seasons      0 * * * * (Europe/Berlin)')
    expect(linesOf(3)).to.include('Closed season 1. Season 2 is open until 2026-11-25 13:00:00 UTC.')
    expect(linesOf(3)).to.include('{ season: 2, rank: 1, improved: true }')
    expect(rows(linesOf(3))).to.deep.equal(['1 1 Ada 900', '2 2 Grace 750', '1 Ada 120', '1 Ada 900', '2 Grace 750'])
    expect(linesOf(3).slice(-6)).to.deep.equal(BEFORE_THE_BAN)
  })

  it('keeps the final rank of a closed season when a player is banned and unbanned', () => {
    expect(linesOf(4)).to.deep.equal([
      'Season 2, players: 0',
      'Season 1, players: 1',
      '  1. Grace: 750, number 2 when the season closed',
      ...BEFORE_THE_BAN,
    ])
  })

  it('changes the schedule, ends it, and still reads a closed season', () => {
    expect(linesOf(5)).to.include('  seasons      weekly (Europe/Berlin)')
    expect(linesOf(5)).to.include('Closed season 2. Season 3 is open until 2026-11-29 23:00:00 UTC.')
    expect(linesOf(5)).to.include('Closed season 3. No season follows.')
    expect(linesOf(5).filter((line) => line.startsWith('  seasons'))).to.have.length(1)
    expect(rows(linesOf(5))).to.deep.equal(['1 1 Ada 900', '2 2 Grace 750'])
  })
})

const BEFORE_THE_BAN = [
  'Season 2, players: 1',
  '  1. Ada: 120',
  'Season 1, players: 2',
  '  1. Ada: 900, number 1 when the season closed',
  '  2. Grace: 750, number 2 when the season closed',
  '',
]
