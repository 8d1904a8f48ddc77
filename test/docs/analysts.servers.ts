// Runs the guide for analysts literally: its export command, and its Python code on the exported files.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { newFolder, openService, type Service } from '../cli/service.ts'
import { createTestGame, type TestGame } from '../portability/export/test-game.ts'
import { builtVenv } from '../servers/venv.ts'

const GUIDE = readFileSync(new URL('../../docs/analysts.md', import.meta.url), 'utf8')
const REQUIREMENTS = fileURLToPath(new URL('notebook/requirements.txt', import.meta.url))

function example(name: string): string {
  const [, code] = new RegExp(`<!-- example: ${name} -->\n\`\`\`\\w+\n([^]*?)\n\`\`\``).exec(GUIDE) ?? []
  if (code === undefined) throw new Error(`the guide has no example ${name}`)
  return code
}

describe('the guide for analysts', function () {
  this.timeout(600_000)
  let service: Service
  let testGame: TestGame
  let folder: string

  before(async () => {
    service = await openService()
    testGame = await createTestGame(service)
    folder = await newFolder()
  })
  after(() => service.close())

  it('exports events, answers its five questions, and draws its plot', async () => {
    for (const name of ['export', 'csv']) {
      const words = example(name).replace('<game>', testGame.game).split(' ')
      expect(words.slice(0, 2)).to.deep.equal(['npx', 'scorebook'])
      const args = words.slice(2).map((word) => (word.startsWith('quest') ? join(folder, word) : word))
      const result = await service.run(...args)
      expect(result.code, result.err).to.equal(0)
    }
    const names = ['open', 'best', 'rank', 'hours', 'bans', 'rules', 'pandas', 'plot']
    const program = names.map(example).join('\n').replace('<board>', testGame.board)
    const python = await builtVenv('scorebook-notebook', REQUIREMENTS)
    const env = { ...process.env, MPLCONFIGDIR: folder }
    const { stdout } = await promisify(execFile)(python, ['-c', program], { cwd: folder, env })
    const lineOf = (name: string) => stdout.split('\n').find((line) => line.startsWith(name))
    // Ada, Dan and the guest are ranked; Bob is deleted, Cleo banned. Scores are (7n mod 11), with n after the point.
    const best = lineOf('best of the week') ?? ''
    expect(best.match(/\('[a-z2-7]{24}', '([\d.]+)', (\d+)\)/g)?.map((row) => row.slice(29))).to.deep.equal([
      "'10.3', 3)",
      "'6.5', 1)",
      "'6.4', 4)",
    ])
    expect(lineOf('ranks')).to.equal('ranks [1, 1, 1]')
    expect(lineOf('submissions')).to.equal('submissions 76')
    // The sum is exact, because the guide adds the CSV values as decimals.
    expect(lineOf('sum of all scores')).to.equal('sum of all scores 376.26')
    expect(lineOf('bans')).to.equal(
      "bans [('PlayerBanned', 'cheats'), ('PlayerBanned', None), ('PlayerUnbanned', None)]",
    )
    expect(lineOf('changes')).to.match(/^changes \[\(13, \d, 1\)\]$/)
    expect((await stat(join(folder, 'submissions.png'))).size).to.be.greaterThan(1_000)
  })
})
