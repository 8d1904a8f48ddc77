// Restores that are killed at random moments: no server starts on what they leave, and the next restore replaces it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { newFolder, openService } from '../../cli/service.ts'
import { builtProgram } from '../../crash/build.ts'
import { Random } from '../../random.ts'
import { SEED } from '../../seeds.ts'
import { pause } from '../../until.ts'
import { type BackedUp, MASTER_KEY, openBackedUp } from './backed-up.ts'
import { run } from './drill.ts'

const KILLS = 4
const SCORES = 400
const ENV = { MASTER_KEY }
const MARK = 'restore-unfinished.json'

/** Null if there is none. Another file of the same name is another number. */
const fileOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.ino ?? null

describe('an interrupted restore', function () {
  this.timeout(120_000)
  let world: BackedUp
  let to: string
  before(async () => {
    world = await openBackedUp()
    const { client, board, ada } = world
    for (let n = 0; n < SCORES; n++) await client.submit(board, { player: ada, score: String(n), extra_data: { n } })
    await world.backUp()
  })
  after(() => world.service.close())
  beforeEach(async () => {
    to = join(await newFolder(), 'restored')
  })

  const args = () => ['restore', '--from', world.destination, '--to', to]
  const restore = () => run(ENV, args())

  /** Kills it some time after it has begun to write. */
  async function killed(afterMs: number): Promise<void> {
    const child = spawn(process.execPath, [builtProgram(), ...args()], { env: ENV, stdio: 'ignore' })
    const closed = once(child, 'close')
    const left = fileOf(join(to, MARK))
    while ([null, left].includes(fileOf(join(to, MARK))) && child.exitCode === null) await pause(1)
    await pause(afterMs)
    child.kill('SIGKILL')
    await closed
  }
  const serve = () => run({ ...ENV, DATA_DIR: to, PORT: '0', ADMIN_PORT: '0' }, ['serve'])

  async function expectWhole(): Promise<void> {
    expect(readdirSync(to)).not.to.include(MARK)
    const service = await openService({ ...ENV, DATA_DIR: to })
    const { out, err } = await service.run('verify')
    await service.stop()
    expect(out, err).to.match(/^equal: /)
  }

  it(`is refused by the server with one line, over ${KILLS} kills, and replaced by the next one`, async () => {
    const random = new Random(SEED)
    let interrupted = 0
    for (let kill = 0; kill < KILLS; kill++) {
      // The first one at once. One that ended before its kill left a whole folder.
      await killed(kill * 60 * random.next())
      if (!existsSync(join(to, MARK))) to = join(await newFolder(), 'next')
      if (!existsSync(join(to, MARK))) continue
      interrupted++
      const served = await serve()
      expect([served.code, served.text.trim().split('\n')]).to.deep.equal([
        1,
        [
          `scorebook: cannot start: A restore into ${to} was not finished: run \`scorebook restore\` with the same --to again, which starts over.`,
        ],
      ])
    }
    expect(interrupted).to.be.at.least(1)
    expect((await restore()).code).to.equal(0)
    await expectWhole()
  })

  it('that is still running is not replaced by a second one', async () => {
    const [one, other] = await Promise.all([restore(), restore()])
    const codes = [one.code, other.code].toSorted()
    expect([codes, one.text + other.text]).to.deep.equal([[0, 1], one.text + other.text])
    await expectWhole()
  })
})
