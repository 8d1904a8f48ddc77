import { expect } from 'chai'
import { boardQuery, isBound, NO_FILTER } from '../../console/src/board/board-query.ts'
import { rulesFault } from '../../console/src/board/rules-fields.tsx'
import { seasonOptions } from '../../console/src/board/season-field.tsx'
import { instantAt, POSITIONS, positionOf } from '../../console/src/board/use-moment.ts'
import { previousRules, rulesIn } from '../../console/src/board/use-rules.ts'
import { csvLine, fileName } from '../../console/src/csv.ts'
import { bytes, bytesIn, isVisible, readableJson, utcTime } from '../../console/src/format.ts'
import { isByPeople } from '../../console/src/history/people-events.ts'
import { gameIn, isOfInstallation, linkedGame, routeOf, to } from '../../console/src/routes.ts'
import { curlCommand, program, shellWord } from '../../console/src/snippets.ts'
import { texts } from '../../console/src/texts.ts'

const span = { from: Date.parse('2026-01-01T00:00:00.000Z'), to: Date.parse('2026-01-02T00:00:00.000Z') }
const rules = {
  ordering: 'desc',
  secondary_ordering: 'asc',
  unique: true,
  keep: 'best',
  min_score: null,
  max_score: null,
} as const

describe('console: addresses', () => {
  it('finds the page of an address, with and without a trailing slash', () => {
    expect(routeOf('/console/')).to.deep.equal({ page: 'start' })
    expect(routeOf('/console/leaderboards')).to.deep.equal({ page: 'leaderboards' })
    expect(routeOf('/console/leaderboards/abc/')).to.deep.equal({ page: 'leaderboard', id: 'abc' })
    expect(routeOf('/console/players/p1')).to.deep.equal({ page: 'player', id: 'p1' })
  })

  it('has no page at an unknown address, or for an id that is none', () => {
    for (const path of [
      '/console/other',
      '/console/keys/k',
      '/console/players/a%2Fb',
      '/console/players/a/b',
      '/elsewhere',
    ]) {
      expect(routeOf(path).page).to.equal(path === '/elsewhere' ? 'start' : 'unknown')
    }
  })

  it('leaves empty parameters out of an address', () => {
    expect(to.history({ type: 'A B', player: '', board: null })).to.equal('/console/history?type=A+B')
  })
})

describe('console: the game in the address of the operator', () => {
  const game = 'a'.repeat(24)
  afterEach(() => {
    linkedGame.value = null
  })

  it('is in every link inside the game, and in none of the pages of the installation', () => {
    linkedGame.value = game
    expect(to.start()).to.equal(`/console/?game=${game}`)
    expect(to.leaderboard('b')).to.equal(`/console/leaderboards/b?game=${game}`)
    expect(to.history({ player: 'p' })).to.equal(`/console/history?player=p&game=${game}`)
    expect(to.page('games')).to.equal('/console/games')
    expect(to.page('system')).to.equal('/console/system')
    expect(to.game('b'.repeat(24))).to.equal(`/console/?game=${'b'.repeat(24)}`)
  })

  it('is read only where it is an id', () => {
    expect(gameIn(new URLSearchParams({ game }))).to.equal(game)
    for (const text of ['', 'x', `${game}a`, '1'.repeat(24)])
      expect(gameIn(new URLSearchParams({ game: text }))).to.equal(null)
  })

  it('makes the start page one of the game', () => {
    expect(isOfInstallation(routeOf('/console/'), null)).to.equal(true)
    expect(isOfInstallation(routeOf('/console/'), game)).to.equal(false)
    expect(isOfInstallation(routeOf('/console/system'), game)).to.equal(true)
    expect(isOfInstallation(routeOf('/console/keys'), null)).to.equal(false)
  })
})

describe('console: sizes that are typed', () => {
  it('are read with and without a unit', () => {
    expect(bytesIn('512')).to.equal(512)
    expect(bytesIn(' 1.5 GiB ')).to.equal(1.5 * 2 ** 30)
    expect(bytesIn('2kb')).to.equal(2_048)
    for (const value of [0, 1_023, 2 ** 20, 10 * 2 ** 30]) expect(bytesIn(bytes(value))).to.equal(value)
  })

  it('are none in other texts', () => {
    for (const text of ['', 'GiB', '-1', '1e9', '1,5 MiB', '1 GiB 2']) expect(bytesIn(text), text).to.equal(null)
  })
})

describe('console: instants of the slider', () => {
  it('shows the creation at the first position and now at the last', () => {
    expect(instantAt(span, 0)).to.equal('2026-01-01T00:00:00.000Z')
    expect(instantAt(span, POSITIONS / 2)).to.equal('2026-01-01T12:00:00.000Z')
    expect(instantAt(span, POSITIONS)).to.equal(null)
  })

  it('finds the position of an instant that a position showed', () => {
    for (const position of [0, 1, 333, 999, POSITIONS]) {
      expect(positionOf(span, instantAt(span, position))).to.equal(position)
    }
  })
})

describe('console: the query of a leaderboard', () => {
  it('sends what is set, and no bound that is not a decimal yet', () => {
    const filter = { ...NO_FILTER, search: ' ann ', min: '-', max: '10.5', window: 'hour' } as const
    expect(boardQuery(filter, true, { instant: null, nowMs: Date.parse('2026-01-01T01:00:00Z') })).to.deep.equal({
      player_name: 'ann',
      max_score: '10.5',
      since: '2026-01-01T00:00:00.000Z',
      window: 'best',
    })
  })

  it('counts a window back from the instant that is shown', () => {
    const at = '2026-01-05T00:00:00.000Z'
    expect(boardQuery({ ...NO_FILTER, window: 'day' }, true, { instant: at, nowMs: Date.now() })).to.deep.equal({
      since: '2026-01-04T00:00:00.000Z',
      window: 'best',
      as_of: at,
    })
  })

  it('asks for the best inside a window only where a player has one entry, and unless that is switched off', () => {
    const at = { instant: null, nowMs: Date.parse('2026-01-05T01:02:03.456Z') }
    const plain = { since: '2026-01-04T01:02:03.456Z' }
    expect(boardQuery({ ...NO_FILTER, window: 'day' }, false, at)).to.deep.equal(plain)
    expect(boardQuery({ ...NO_FILTER, window: 'day', standing: true }, true, at)).to.deep.equal(plain)
    expect(boardQuery(NO_FILTER, true, at)).to.deep.equal({})
  })

  it('moves a live window of best submissions in steps, never beyond a sixtieth of its length', () => {
    const since = (nowMs: number) => {
      const query = boardQuery({ ...NO_FILTER, window: 'hour' }, true, { instant: null, nowMs })
      return Date.parse(query.since ?? '')
    }
    const nowMs = Date.parse('2026-01-05T01:02:00.000Z')
    const [first, last, next] = [nowMs, nowMs + 59_999, nowMs + 60_000].map(since)
    expect([first, last, next]).to.deep.equal([nowMs - 3_600_000, nowMs - 3_600_000, nowMs - 3_540_000])
  })

  it('asks for a season without a window and an instant, which a season has not', () => {
    const filter = { ...NO_FILTER, search: 'ann', window: 'day', season: 'current' } as const
    const at = { instant: '2026-01-05T00:00:00.000Z', nowMs: Date.now() }
    expect(boardQuery(filter, true, at)).to.deep.equal({ player_name: 'ann', season: 'current' })
    expect(boardQuery({ ...filter, season: '12' }, true, at)).to.deep.equal({ player_name: 'ann', season: 12 })
    for (const season of ['0', '-1', '1.5', 'next']) {
      expect(boardQuery({ ...NO_FILTER, season }, true, { ...at, instant: null }), season).to.deep.equal({})
    }
  })

  it('chooses the open season as current, and by its number once its end has passed, when current is the next one', () => {
    const [starts, ends] = ['2026-01-05T00:00:00.000Z', '2026-01-12T00:00:00.000Z']
    const seasons = [
      { season: 3, state: 'open', starts, ends },
      { season: 2, state: 'closed', starts, ends },
    ] as const
    const chosen = (isOpenOver: boolean) =>
      seasonOptions(seasons, isOpenOver).map(({ value, text }) => [value, text.split(',')[0]])
    expect(chosen(false)).to.deep.equal([
      ['current', 'Season 3'],
      ['2', 'Season 2'],
    ])
    expect(chosen(true)).to.deep.equal([
      ['current', 'Season 4'],
      ['3', 'Season 3'],
      ['2', 'Season 2'],
    ])
  })

  it('takes the decimals of the protocol for bounds', () => {
    for (const good of ['', '0', '-1.5', '123456789012345678901234567890.123456789012345678']) {
      expect(isBound(good), good).to.equal(true)
    }
    for (const bad of ['1e3', '+1', '01', '.5', '1.', 'x']) expect(isBound(bad), bad).to.equal(false)
  })
})

describe('console: the rules before', () => {
  it('are those of the last change to other rules', () => {
    const other = { ...rules, ordering: 'asc' } as const
    expect(previousRules([rules])).to.equal(null)
    expect(previousRules([rules, other])).to.equal(rules)
    expect(previousRules([rules, other, other])).to.equal(rules)
    expect(previousRules([rules, other, rules])).to.equal(other)
    const latest = { ...rules, keep: 'latest' } as const
    expect(previousRules([rules, latest, latest])).to.equal(rules)
  })

  it('are read from the data of an event', () => {
    const data = { rules: { ordering: 'desc', secondaryOrdering: 'asc', unique: true, minScore: null, maxScore: null } }
    expect(rulesIn({ data })).to.deep.equal(rules)
    expect(rulesIn({ data: { rules: { ...data.rules, keep: 'total' } } })).to.deep.equal({ ...rules, keep: 'total' })
    expect(rulesIn({ data: {} })).to.equal(null)
  })
})

describe('console: rules in words', () => {
  const { inWords, differences } = texts.rules

  it('say what an entry is, and the bounds', () => {
    const ways = [
      rules,
      { ...rules, keep: 'latest' },
      { ...rules, keep: 'total' },
      { ...rules, unique: false },
    ] as const
    expect(ways.map(inWords)).to.deep.equal([
      'Highest first, one entry per player (their best submission)',
      'Highest first, one entry per player (their latest submission)',
      'Highest first, one entry per player (the total of their submissions)',
      'Highest first, every submission is an entry',
    ])
    const bounds = [
      { min_score: '30', max_score: null },
      { min_score: null, max_score: '5' },
      { min_score: '30', max_score: '50' },
    ]
    expect(
      bounds.map((own) =>
        inWords({ ...rules, ...own })
          .split(', ')
          .slice(2),
      ),
    ).to.deep.equal([['scores of at least 30'], ['scores of at most 5'], ['scores from 30 to 50']])
  })

  it('list each part that differs, and no other', () => {
    expect(differences(rules, rules)).to.deep.equal([])
    const other = { ...rules, ordering: 'asc', secondary_ordering: 'desc', keep: 'total', min_score: '30' } as const
    expect(differences(rules, { ...other, max_score: '50' })).to.deep.equal([
      { before: 'Highest first', after: 'Lowest first' },
      {
        before: 'of equal scores, the lowest secondary score first',
        after: 'of equal scores, the highest secondary score first',
      },
      {
        before: 'one entry per player (their best submission)',
        after: 'one entry per player (the total of their submissions)',
      },
      { before: 'no lowest score', after: 'scores of at least 30' },
      { before: 'no highest score', after: 'scores of at most 50' },
    ])
  })

  it('are refused by the form where every submission is an entry and it would show the latest or the total', () => {
    for (const unique of [true, false]) {
      for (const keep of ['best', 'latest', 'total'] as const) {
        const fault = rulesFault({ unique, keep })
        if (unique || keep === 'best') expect(fault, `${unique} ${keep}`).to.equal(null)
        else expect(fault, `${unique} ${keep}`).to.contain(`there is no ${keep} to show. Choose`)
      }
    }
  })
})

describe('console: escaping of texts of others', () => {
  it('writes invisible and reordering characters of JSON as escapes', () => {
    expect(readableJson({ a: 'x\u202ey\u200b' })).to.equal('{\n  "a": "x\\u202ey\\u200b"\n}')
    expect(readableJson('\u{e0041}')).to.equal('"\\udb40\\udc41"')
  })

  it('knows a name that shows nothing', () => {
    expect(isVisible('\u200b\u2060 \u3164')).to.equal(false)
    expect(isVisible('\u200bA')).to.equal(true)
  })

  it('quotes CSV cells, and keeps a spreadsheet from taking a name for a formula', () => {
    expect(csvLine(['a,b', 'say "x"', '=1+1', '-5.5', 7, null])).to.equal('"a,b","say ""x""",\'=1+1,-5.5,7,\r\n')
  })

  it('makes file names that every system accepts', () => {
    expect(fileName('../Été: best <of>', 'csv')).to.equal('e-te-best-of.csv')
    expect(fileName('\u202e', 'csv')).to.equal('scorebook.csv')
  })
})

describe('console: copied calls', () => {
  const call = { method: 'POST', path: "/api/x/?a='b'", body: { name: "it's" }, typescript: program('x', []) } as const

  it('quotes every word for the shell', () => {
    expect(shellWord("a'b")).to.equal("'a'\\''b'")
    expect(curlCommand('https://s.example', call, 'tok')).to.equal(
      "curl -sS -X 'POST' -H 'Authorization: Bearer tok' -H 'Content-Type: application/json' -d '{\"name\":\"it'\\''s\"}' 'https://s.example/api/x/?a='\\''b'\\'''".replace(
        "'POST'",
        'POST',
      ),
    )
  })

  it('writes arguments as literals', () => {
    expect(program('player', ['g', { limit: 2 }, undefined])('https://s.example')).to.contain(
      'console.log(await server.player("g", {"limit":2}))',
    )
  })
})

describe('console: units', () => {
  it('shows bytes in binary units and times in UTC', () => {
    expect([0, 1023, 1024, 20 * 1024 ** 2].map(bytes)).to.deep.equal(['0 B', '1023 B', '1.00 KiB', '20.0 MiB'])
    expect(utcTime('2026-11-25T08:23:50.123Z')).to.equal('2026-11-25 08:23:50.123 UTC')
  })
})

describe('console: what people did', () => {
  const by = (type: string, actor: string | null = 'sk_a') => isByPeople({ type, meta: { actor } })

  it('has the actions of keys, and no step that the service takes by itself', () => {
    expect(by('PlayerBanned')).to.equal(true)
    expect(by('PlayerBanned', null)).to.equal(false)
    expect(by('SlotTaken')).to.equal(false)
    expect(by('UploadCompleted')).to.equal(false)
  })

  it('has types that the console does not know', () => {
    for (const type of ['WebhookCreated', 'constructor']) expect(by(type), type).to.equal(true)
  })
})
