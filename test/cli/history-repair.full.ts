// A log with gaps and duplicates: verify, doctor and backup name it, `history repair` repairs it, and every submission
// counts.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Client } from '../../clients/javascript/connect.ts'
import { connect } from '../../clients/javascript/connect.ts'
import type { GameEvent } from '../../clients/javascript/history.ts'
import type { VerifyResult } from '../../clients/javascript/verify-shapes.ts'
import { playerStream } from '../../domain/player.ts'
import { scoreStream } from '../../domain/score.ts'
import { keyIn } from '../portability/export/crawl.ts'
import { duplicateRevision, logRows, revisionsOf, skipRevision } from '../stores/faulty-log.ts'
import { command, newFolder, openService, type Service } from './service.ts'

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

interface Finding {
  readonly name: string
  readonly state: string
  readonly detail: string
  readonly fix?: string
}

interface Repaired {
  readonly repaired: boolean
  readonly dry_run: boolean
  readonly streams: readonly { readonly stream: string; readonly gaps: number; readonly duplicates: number }[]
}

describe('scorebook history repair', function () {
  this.timeout(120_000)
  let service: Service
  let client: Client
  let game: string
  let [unique, all, ada, bob] = ['', '', '', '']
  let destination: string
  /** Ids of all submissions that were acknowledged, as the events have them. */
  let acknowledged: readonly string[]

  const run = (...args: string[]) => command(service.env, ...args)
  const submit = async (board: string, player: string, ...scores: string[]) => {
    for (const score of scores) await client.submit(board, { player, score })
  }
  const start = async () => {
    service = await openService({ MASTER_KEY, DATA_DIR: service.dataDir })
    client = await connect({ baseUrl: service.url, key: await keyIn(service.dataDir, game) })
  }
  const submissions = async (): Promise<string[]> => {
    const { out } = await run('history', 'export', '--type', 'ScoreSubmitted')
    return out.split('\n').map((line) => String((JSON.parse(line) as GameEvent).data.id))
  }
  const shown = async (board: string) => {
    const headers = { Authorization: `Bearer ${await client.token()}` }
    const answer = await fetch(`${service.url}/api/lb/${board}/score/`, { headers })
    const { scores } = (await answer.json()) as { scores: { player: string; score: string }[] }
    return scores.map(({ player, score }) => [player === ada ? 'ada' : 'bob', score])
  }

  before(async () => {
    service = await openService({ MASTER_KEY, DATA_DIR: await newFolder() })
    game = (await service.json<{ game: { id: string } }>('game', 'create', 'Quest')).game.id
    unique = (await service.json<{ id: string }>('board', 'create', 'Best', '--unique')).id
    all = (await service.json<{ id: string }>('board', 'create', 'All', '--no-unique')).id
    ada = (await service.json<{ id: string }>('player', 'create', 'Ada')).id
    bob = (await service.json<{ id: string }>('player', 'create', 'Bob')).id
    client = await connect({ baseUrl: service.url, key: await keyIn(service.dataDir, game) })
    await submit(unique, ada, '90')
    await client.deleteScore((await client.submit(unique, { player: ada, score: '91' })).id)
    await submit(unique, ada, '10', '40', '20', '30')
    await submit(all, ada, '1', '2', '3')
    await client.deleteScore((await client.submit(all, { player: ada, score: '99' })).id)
    await submit(all, ada, '4')
    await service.json('player', 'ban', bob)
    await service.json('player', 'unban', bob)
    await submit(unique, bob, '25')
    await submit(all, bob, '5')
    acknowledged = await submissions()
    destination = join(await newFolder(), 'destination')
    await service.json('backup', '--to', destination)
    await service.stop()
  })
  after(() => service.stop())

  const rows = () => logRows(service.dataDir)
  const onUnique = () => scoreStream(unique, ada)
  const onAll = () => scoreStream(all, ada)

  it('is not needed by a log without gaps and duplicates, and then changes nothing', async () => {
    const before = rows()
    const result = await run('history', 'repair')
    expect([result.code, result.out]).to.deep.equal([
      0,
      'No stream of the log has a gap or a duplicate. Nothing to repair.',
    ])
    expect(rows()).to.deep.equal(before)
    expect(await run('verify')).to.include({ code: 0 })
    expect((await run('doctor')).out).to.contain('no stream of the log has a gap or a duplicate')
  })

  describe('of a log with duplicates in the streams of two boards and a player', () => {
    before(() => {
      duplicateRevision(service.dataDir, onUnique(), 4)
      duplicateRevision(service.dataDir, onAll(), 5)
      duplicateRevision(service.dataDir, playerStream(bob), 2)
    })

    it('is named by verify, with the streams and the remedy, with a server and without', async () => {
      const check = async () => {
        const { code, out } = await run('verify')
        expect(code, out).to.equal(1)
        expect(out)
          .to.match(/^not equal: the log is faulty, so the views were not compared\n/)
          .and.contain('The log has 3 gaps and duplicates in the revisions of 3 streams:')
        expect(out).to.match(new RegExp(`${onUnique()}  a duplicate: where revision 4 comes next, .* has revision 3`))
        expect(out).to.match(/Stop the server\. `.* history repair --dry-run` shows the repair/)
        const json = (await run('verify', '--json')).json<VerifyResult>()
        expect([json.equal, json.revisions?.found]).to.deep.equal([false, 3])
        expect(json.revisions?.faults.map(({ stream }) => stream)).to.have.members([
          onUnique(),
          onAll(),
          playerStream(bob),
        ])
      }
      await check()
      await start()
      await check()
    })

    it('is named by doctor, which fails without a server and names verify with one', async () => {
      const running = (await run('doctor', '--json')).json<{ findings: Finding[] }>()
      expect(running.findings.find(({ name }) => name === 'stores')?.detail).to.contain('`npx scorebook verify`')
      await service.stop()
      const { code, out } = await run('doctor', '--json')
      const found = (JSON.parse(out) as { findings: Finding[] }).findings.find(({ name }) => name === 'revisions')
      expect([code, found?.state]).to.deep.equal([1, 'fail'])
      expect(found?.detail).to.contain(onUnique()).and.contain(onAll())
      expect(found?.fix).to.contain('history repair --dry-run')
    })

    it('fails a backup, with a server and without, which names the stream and the command, and earlier backups stay', async () => {
      const files = () => readdirSync(destination, { recursive: true }).sort()
      const before = files()
      const check = async () => {
        for (const to of [destination, join(await newFolder(), 'new')]) {
          const { code, err } = await run('backup', '--to', to)
          expect(code, err).to.equal(1)
          expect(err).to.contain(onUnique()).and.contain('`scorebook history repair --dry-run`')
        }
        expect(files()).to.deep.equal(before)
      }
      await check()
      await start()
      await check()
      await service.stop()
      expect((await run('backup', 'verify', destination)).code).to.equal(0)
    })

    it('is refused while a server has the log open', async () => {
      await start()
      const { code, err } = await run('history', 'repair')
      await service.stop()
      expect([code, err]).to.deep.include(1)
      expect(err).to.match(/another process has this data folder open\. Stop the server first\.$/)
    })

    it('shows in a dry run what it would change, and changes nothing', async () => {
      const before = rows()
      const { code, out } = await run('history', 'repair', '--dry-run')
      expect([code, rows()], out).to.deep.equal([0, before])
      const ofStream = out.slice(out.indexOf(onUnique())).split('\n')
      const own = before.filter(({ stream }) => stream === onUnique())
      const at = (n: number) => String(own.at(n)?.position.toString(16)).padStart(16, '0')
      expect(ofStream.slice(0, 9)).to.deep.equal([
        `${onUnique()}: 1 duplicate`,
        '  events     6 ScoreSubmitted, 1 ScoreDeleted',
        `  positions  ${at(0)} to ${at(-1)}`,
        '  revisions  0..3, 3..5',
        '  become     0..6',
        `  ${at(4)}  ScoreSubmitted  3 -> 4`,
        `  ${at(5)}  ScoreSubmitted  4 -> 5`,
        `  ${at(6)}  ScoreSubmitted  5 -> 6`,
        `${onAll()}: 1 duplicate`,
      ])
      expect(out).to.contain('3 streams to repair. 5 events to get another revision. No event is removed.')
      expect(out).to.match(/Nothing was changed\. `.* history repair` makes this repair\.$/)
      const json = (await run('history', 'repair', '--dry-run', '--json')).json<Repaired>()
      expect(json).to.include({ repaired: false, dry_run: true })
      expect(json.streams.map(({ gaps, duplicates }) => [gaps, duplicates])).to.deep.equal([
        [0, 1],
        [0, 1],
        [0, 1],
      ])
    })

    it('keeps every acknowledged submission, which all count, and then verify is equal', async () => {
      const before = rows()
      const { code, out, err } = await run('history', 'repair')
      expect(code, err).to.equal(0)
      expect(out).to.contain('Repaired.').and.contain('Then make a new backup')
      expect(rows().map(({ id, data }) => [id, data.length])).to.deep.equal(
        before.map(({ id, data }) => [id, data.length]),
      )
      for (const stream of [onUnique(), onAll(), playerStream(bob)]) {
        const own = revisionsOf(rows(), stream)
        expect(own).to.deep.equal(own.map((_, n) => n))
      }
      await start()
      expect(await submissions()).to.deep.equal(acknowledged)
      expect(await shown(unique)).to.deep.equal([
        ['ada', '40'],
        ['bob', '25'],
      ])
      expect(await shown(all)).to.deep.equal(
        ['5', '4', '3', '2', '1'].map((score, n) => [n === 0 ? 'bob' : 'ada', score]),
      )
      const verified = await run('verify')
      expect([verified.code, verified.out.slice(0, 7)], verified.out).to.deep.equal([0, 'equal: '])
    })

    it('lets the players of its streams submit again', async () => {
      await submit(unique, ada, '50')
      await submit(all, ada, '6')
      await submit(all, bob, '7')
      expect(await shown(unique)).to.deep.equal([
        ['ada', '50'],
        ['bob', '25'],
      ])
      expect(await run('verify')).to.include({ code: 0 })
    })

    it('can be backed up, also after backups from before the duplicates, and restored', async () => {
      const continued = await run('backup', '--to', destination)
      expect(continued.code, continued.err).to.equal(0)
      expect((await run('backup', 'verify', destination)).code).to.equal(0)
      const next = join(await newFolder(), 'next')
      expect((await run('backup', '--to', next)).code).to.equal(0)
      expect((await run('backup', 'verify', next)).code).to.equal(0)
      const folder = join(await newFolder(), 'restored')
      const restored = await command({ MASTER_KEY }, 'restore', '--from', next, '--to', folder)
      expect(restored.code, restored.err).to.equal(0)
      const other = await openService({ MASTER_KEY, DATA_DIR: folder })
      expect(await other.run('verify')).to.include({ code: 0 })
      await other.stop()
      await service.stop()
    })
  })

  describe('of a log with a gap', () => {
    before(() => skipRevision(service.dataDir, onUnique(), 2))

    it('says that an event may be missing, and needs --accept-gaps', async () => {
      const before = rows()
      const dry = await run('history', 'repair', '--dry-run')
      expect([dry.code, dry.out]).to.deep.include(0)
      expect(dry.out).to.contain(`${onUnique()}: 1 missing revision`).and.contain('events may be lost')
      expect(dry.out).to.contain('history repair --accept-gaps')
      const refused = await run('history', 'repair')
      expect([refused.code, rows()]).to.deep.equal([1, before])
      expect(refused.err).to.contain('1 revision missing, so events may be lost. Nothing was changed.')
      expect((await run('history', 'repair', '--accept-gaps')).code).to.equal(0)
      expect(revisionsOf(rows(), onUnique())).to.deep.equal(revisionsOf(before, onUnique()).map((_, n) => n))
      await start()
      expect(await run('verify')).to.include({ code: 0 })
      await service.stop()
    })
  })

  it('says that there is nothing to repair on EventStoreDB, and what to do if there is no log', async () => {
    const urls = {
      EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
      MONGODB_URL: 'mongodb://127.0.0.1:1/x',
      REDIS_URL: 'redis://127.0.0.1:1',
    }
    const server = await command({ ...service.env, ...urls }, 'history', 'repair')
    expect([server.code, server.out]).to.deep.equal([
      0,
      'EventStoreDB assigns the revisions itself: its streams have no gap and no duplicate. Nothing to repair.',
    ])
    const empty = await command({ DATA_DIR: await newFolder() }, 'history', 'repair')
    expect([empty.code, empty.err.slice(0, 33)]).to.deep.equal([1, 'scorebook: There is no log in /tm'])
  })
})
