// `scorebook demo` with small numbers: it uses only the public API. The commands that it suggests are run.

import { expect } from 'chai'
import { DEMO_BOARDS, diceOf, drawScore, playerName, skillOf } from '../../cli/demo-data.ts'
import { runCommandLine } from '../../cli/program.ts'
import type { GameEvent } from '../../clients/javascript/history.ts'
import type { Leaderboard, ScoresPage } from '../../clients/javascript/score-shapes.ts'
import type { Key, Page, Player } from '../../clients/javascript/shapes.ts'
import { openProxiedService } from './proxied-service.ts'
import { type CommandResult, openService, type Service } from './service.ts'

interface Shown {
  readonly game: string
  readonly players: number
  readonly leaderboards: readonly Leaderboard[]
  readonly top: ScoresPage
  readonly around: ScoresPage
}

describe('scorebook demo', () => {
  let service: Service
  let result: CommandResult

  before(async () => {
    service = await openProxiedService()
    result = await service.run('demo', '--players', '12', '--scores', '150')
  })
  after(() => service.close())

  it('prints progress as lines when its output is not a terminal', () => {
    expect([result.code, result.err.split('\n')[0]?.slice(0, 10)]).to.deep.equal([0, 'Created ga'])
    expect(result.err).to.match(/^Signing players in: 12 in \d+\.\d s, \d+\/s$/m)
    expect(result.err).to.match(/^Submitting scores: 150 in \d+(\.\d)? s, \d+\/s$/m)
  })

  it('creates guests with keys of both kinds, and leaderboards of each kind that contain all scores', async () => {
    const { leaderboards } = await service.json<Page<'leaderboards', Leaderboard>>('board', 'list')
    expect(leaderboards.map(({ ordering, unique, keep }) => [ordering, unique, keep])).to.deep.equal([
      ['desc', true, 'best'],
      ['asc', true, 'best'],
      ['desc', false, 'best'],
      ['asc', false, 'best'],
      ['desc', true, 'total'],
      ['desc', true, 'latest'],
      ['desc', true, 'best'],
    ])
    expect(leaderboards.map(({ seasons }) => seasons?.cron ?? null).slice(-2)).to.deep.equal([null, 'weekly'])
    const entries = leaderboards.map((board) => board.entries)
    expect(entries[0]).to.be.within(6, 12)
    const { players, count } = await service.json<Page<'players', Player>>('player', 'list')
    expect(count).to.equal(12)
    expect(players.every(({ guest }) => guest)).to.equal(true)
    const { keys } = await service.json<Page<'keys', Key>>('key', 'list')
    expect(keys.map(({ kind, algorithm }) => `${kind} ${algorithm}`)).to.deep.equal([
      'server hmac-sha256',
      'client hmac-sha256',
      'client ed25519',
    ])
  })

  it('saves its client keys in files that --key-file takes, and says where', async () => {
    const files = [...result.err.matchAll(/^A client key \((\S+)\), as a game ships it, is saved in (.+)$/gm)]
    expect(files.map(([, algorithm]) => algorithm)).to.deep.equal(['hmac-sha256', 'ed25519'])
    for (const [, , file = ''] of files)
      expect((await service.run('board', 'top', 'high-score', '--key-file', file)).code).to.equal(0)
  })

  it('prints a top ten, the entries around a player, and commands to try next that work', async () => {
    const lines = result.out.split('\n')
    const from = lines.findIndex((line) => line.startsWith('Top ten of "High score"'))
    expect(lines.slice(from + 2, from + 5).map((line) => line.slice(0, 6))).to.deep.equal([
      '  rank',
      '     1',
      '     2',
    ])
    expect(lines.filter((line) => /^ {1,6}\d+ {2}> {2}/.test(line))).to.have.length(1)
    const next = lines.slice(lines.indexOf('Commands to try next:') + 1)
    expect(next).to.have.length(10)
    for (const line of next) {
      const [, url, typed = ''] = /npx scorebook --url (\S+) (.*)$/.exec(line) ?? []
      expect(url, line).to.equal(service.url)
      const { code, out } = await (typed.includes('watch') ? untilSaid(typed) : service.run(...typed.split(' ')))
      expect([code, out.length > 0], line).to.deep.equal([0, true])
    }
  })

  /** Runs a command that does not end by itself, and interrupts it after its first output. */
  async function untilSaid(typed: string): Promise<Pick<CommandResult, 'code' | 'out'>> {
    let interrupt = () => {}
    let out = ''
    const code = await runCommandLine(typed.split(' '), {
      env: service.env,
      out: (line) => {
        out += line
        interrupt()
      },
      err: () => {},
      columns: 80,
      redraw: null,
      onInterrupt: (wanted) => {
        interrupt = wanted
        return () => {}
      },
    })
    return { code, out }
  }

  it('uploads one file per player, and lists them', async () => {
    const saved = result.err.split('\n').filter((line) => / saved \/saves\//.test(line))
    expect(saved.map((line) => line.split(' saved ')[0])).to.deep.equal([0, 1, 2].map(playerName))
    const { buckets } = await service.json<{ buckets: readonly { id: string; name: string }[] }>('bucket', 'list')
    expect(buckets.map(({ name }) => name)).to.deep.equal(['Saves'])
    const { files } = await service.json<{ files: readonly { name: string }[] }>(
      'bucket',
      'ls',
      buckets[0]?.id ?? '',
      '/saves/',
    )
    expect(files.map(({ name }) => name)).to.deep.equal(['amber-otter.json', 'hardy-heron.json', 'olive-osprey.json'])
  })

  it('has a leaderboard of totals that are the sums of the recorded scores, and one of the latest ratings', async () => {
    const submissionsTo = async (board: string) => {
      const { out } = await service.run('history', 'export', '--board', board, '--type', 'ScoreSubmitted')
      return out.split('\n').map((line): GameEvent => JSON.parse(line))
    }
    const sums = new Map<unknown, number>()
    for (const { data, meta } of await submissionsTo('experience')) {
      sums.set(meta.player, (sums.get(meta.player) ?? 0) + Number(data.score))
    }
    const latest = new Map((await submissionsTo('rating')).map(({ data, meta }) => [meta.player, Number(data.score)]))
    for (const [board, expected] of [
      ['experience', sums],
      ['rating', latest],
    ] as const) {
      const { scores } = await service.json<ScoresPage>('board', 'top', board)
      expect(new Map(scores.map(({ player, score }) => [player, Number(score)]))).to.deep.equal(expected)
    }
    expect(sums.size).to.be.within(6, 12)
  })

  it('enables rooms, and prints the messages that a listener in a room receives', async () => {
    expect(result.err).to.contain('Enabled the rooms: Lobby, Trading post, Referees')
    const talk = result.err.split('\n').filter((line) => /^ {2}\d+ {2}/.test(line))
    expect(talk.map((line) => line.replace(/^ {2}\d+ {2}/, '').split(':')[0])).to.deep.equal(
      [0, 1, 2, 0, 1].map(playerName),
    )
    const seqs = talk.map((line) => Number.parseInt(line, 10))
    expect(seqs.map((seq) => seq - (seqs[0] ?? 0))).to.deep.equal([0, 1, 2, 3, 4])
    const { games } = await service.json<{ games: readonly { realtime: { enabled: boolean } }[] }>('game', 'list')
    expect(games.map(({ realtime }) => realtime.enabled)).to.deep.equal([true])
  })

  it('continues with a warning if neither files nor rooms can be reached', async () => {
    const away = 'http://127.0.0.1:9'
    const apart = await openService({ REALTIME_URL: away, PUBLIC_URL: away })
    const { code, err } = await apart.run('demo', '--players', '1', '--scores', '1')
    expect([code, /The rooms cannot be used: .*ROLES=rooms/.test(err)]).to.deep.equal([0, true])
    expect(err).to.contain(`No files: No answer from ${away}`)
    await apart.close()
  })

  it('waits as long as a 429 answer asks, and submits every score once', async () => {
    const slow = await openService({
      RATE_LIMITS: JSON.stringify({ guest: { perSecond: 20, burst: 4 }, key: { perSecond: 60, burst: 30 } }),
    })
    const { leaderboards, players, top, around } = await slow.json<Shown>('demo', '--players', '6', '--scores', '60')
    expect(players).to.equal(6)
    const everyScore = leaderboards.flatMap(({ unique, entries }) => (unique ? [] : [entries]))
    expect(everyScore).to.deep.equal(submissionsTo(60).slice(2, 4))
    expect(top.scores[0]?.rank).to.equal(1)
    expect(around.player_rank).to.be.a('number')
    await slow.close()
  })

  it('prints why it cannot start if no server answers', async () => {
    const away = await service.run('demo', '--url', 'http://127.0.0.1:9')
    expect([away.code, away.out]).to.deep.equal([1, ''])
    expect(away.err).to.contain('No answer from http://127.0.0.1:9')
  })
})

describe('the demo data', () => {
  it('gives each of 10,000 players a unique name and a skill', () => {
    const names = Array.from({ length: 10_000 }, (_, at) => playerName(at))
    expect(new Set(names).size).to.equal(10_000)
    expect(names.every((name) => name.length <= 64)).to.equal(true)
    const skills = Array.from({ length: 1_000 }, (_, at) => skillOf(at))
    expect(Math.min(...skills)).to.be.at.least(0)
    expect(Math.max(...skills)).to.be.below(1)
  })

  it('draws scores within the bounds, as decimals, and the same ones for the same seed', () => {
    for (const demoBoard of DEMO_BOARDS) {
      const { min_score: min, max_score: max } = demoBoard.board
      for (const skill of [0, 0.001, 0.5, 0.999999]) {
        const draw = () => {
          const dice = diceOf(7)
          return Array.from({ length: 500 }, () => drawScore(demoBoard, skill, dice))
        }
        const drawn = draw()
        expect(draw()).to.deep.equal(drawn)
        for (const { score, secondary_score: second } of drawn) {
          expect(score).to.match(/^(0|[1-9]\d*)(\.\d+)?$/)
          if (second !== undefined) expect(second).to.match(/^\d+$/)
          expect(Number(score)).to.be.at.least(Number(min ?? '0'))
          expect(Number(score)).to.be.at.most(Number(max ?? '1e9'))
        }
      }
    }
  })
})

/** Counts the scores that the demo sends to each leaderboard, drawn as the demo draws them. */
function submissionsTo(scores: number): number[] {
  const dice = diceOf(scores)
  const counts = DEMO_BOARDS.map(() => 0)
  for (let sent = 0; sent < scores; sent++) {
    const [, where] = [dice(), Math.floor(dice() * counts.length), dice()]
    counts[where ?? 0] = (counts[where ?? 0] ?? 0) + 1
  }
  return counts
}
