// `scorebook score import`: files of scores, with rows that are refused, corrected and added.

import { open, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Leaderboard, ScoresPage } from '../../clients/javascript/score-shapes.ts'
import type { MadeKey, Player } from '../../clients/javascript/shapes.ts'
import { type MadeGame, newFolder, openService, type Service } from './service.ts'

describe('scorebook score import', () => {
  let service: Service
  let folder: string
  let game: string
  let ada: string
  before(async () => {
    service = await openService()
    folder = await newFolder()
    game = (await service.json<MadeGame>('game', 'create', 'Quest')).game.id
    ada = (await service.json<Player>('player', 'create', 'Ada', '--external-id', 'account-1')).id
    await service.json('board', 'create', 'Runs', '--key', 'runs', '--no-unique')
  })
  after(() => service.close())

  const file = async (name: string, text: string) => {
    const path = join(folder, name)
    await writeFile(path, text)
    return path
  }
  const importOf = async (path: string, ...more: string[]) =>
    service.run('score', 'import', path, '--leaderboard', 'runs', ...more)
  const scores = async () => (await service.json<ScoresPage>('board', 'top', 'runs')).scores.map(({ score }) => score)

  it('takes the rows of a CSV file, and none twice, also when rows are corrected and added', async () => {
    const rows = ['external_id,player,score,extra_data', 'account-1,,10.5,"{""level"":1}"', `,${ada},7,`, `,${ada},7,`]
    const path = await file('scores.csv', [...rows, 'account-1,,x,'].join('\r\n'))
    const first = await importOf(path, '--json')
    expect([first.code, JSON.parse(first.out)]).to.deep.equal([
      3,
      {
        rows: 4,
        refused: 1,
        faults: {
          'malformed: The submission is malformed at "/score": must be a decimal string such as "-12.5": digits 0-9, a minus sign before them, a point among them.': 1,
        },
        refused_file: `${path}.refused.ndjson`,
      },
    ])
    expect(JSON.parse(await readFile(`${path}.refused.ndjson`, 'utf8'))).to.deep.include({
      line: 5,
      row: { external_id: 'account-1', score: 'x' },
      code: 'malformed',
    })
    expect(await scores()).to.deep.equal(['10.5', '7', '7'])
    await writeFile(path, [...rows, 'account-1,,3,', `,${ada},7,`].join('\r\n'))
    const again = await importOf(path)
    expect([again.code, again.out]).to.deep.equal([0, '5 of 5 rows are recorded.'])
    expect(await scores()).to.deep.equal(['10.5', '7', '7', '7', '3'])
  })

  it('takes NDJSON, and writes the rows that the server refuses to a file with the reason', async () => {
    const path = await file(
      'scores.ndjson',
      [
        `{"player":"${ada}","score":"1","secondary_score":"2","player_name":"A."}`,
        `{"external_id":"nobody","score":"1"}`,
        `{"player":"${ada}","score":"1","score":"2"}`,
        '{"player":',
        `{"player":"${ada}","score":"1","leaderboard":"other"}`,
        `{"player":"${ada}","score":"1","idempotency_key":"match-1"}`,
      ].join('\n'),
    )
    const { code, out } = await importOf(path)
    expect(code).to.equal(3)
    expect(out.split('\n').slice(0, 2)).to.deep.equal([
      '1 of 6 rows are recorded.',
      `The others are in ${path}.refused.ndjson, each with the reason.`,
    ])
    const refused = (await readFile(`${path}.refused.ndjson`, 'utf8')).trim().split('\n')
    expect(refused.map((text) => JSON.parse(text)).map(({ line, code: why }) => [line, why])).to.deep.equal([
      [3, 'malformed'],
      [4, 'malformed'],
      [5, 'malformed'],
      [6, 'malformed'],
      [2, 'unknown_player'],
    ])
  })

  it('sends nothing in a dry run, and tells the rows, the first ten and every kind of fault', async () => {
    const before = await scores()
    const path = await file('dry.csv', ['player,score', `${ada},1`, `${ada},`, `,2`].join('\n'))
    const { code, out } = await importOf(path, '--dry-run')
    expect(code).to.equal(3)
    expect(out).to.match(/^3 rows, of which 2 cannot be sent\.\n\n.*player +score\n/)
    expect(out).to.contain('"/score": is missing').and.to.contain('"/player": is missing: give player or external_id')
    expect(await scores()).to.deep.equal(before)
  })

  it('names the line of the first row with each fault, and what to do', async () => {
    const path = await file(
      'faults.csv',
      ['external_id,score,extra_data', 'nobody,1,', 'account-1,x,', 'nobody,2,', 'account-1,1,{a}'].join('\n'),
    )
    const { code, out } = await importOf(path)
    expect([code, out.split('\n').slice(2)]).to.deep.equal([
      3,
      [
        '',
        '  rows  first line  fault',
        '     2           2  unknown_player: Name a player of this game.',
        '     1           3  malformed: The submission is malformed at "/score": must be a decimal string such as "-12.5": digits 0-9, a minus sign before them, a point among them.',
        '     1           5  malformed: The row is malformed at "/extra_data": not valid JSON: a field name in double quotes was expected at character 1.',
      ],
    ])
  })

  it('refuses a row with more or fewer cells than columns, and reads quotes inside a cell as they are', async () => {
    const text = ['player,score,player_name', `${ada},5`, '', `${ada},4,A,B`, `${ada},3,A "the" B`, `${ada},"2"1,A`]
    const path = await file('odd-rows.csv', text.join('\n'))
    const quote = 'Put a value with a comma, a quote or a line break in double quotes, and double the quotes inside it.'
    const { code, out } = await importOf(path)
    expect([code, out.split('\n')[0]]).to.deep.equal([3, '1 of 4 rows are recorded.'])
    const refused = (await readFile(`${path}.refused.ndjson`, 'utf8')).trim().split('\n')
    expect(refused.map((line) => JSON.parse(line)).map(({ line, row, detail }) => [line, row, detail])).to.deep.equal([
      [2, [ada, '5'], `The row has 2 cells, and the first line has 3. ${quote}`],
      [4, [ada, '4', 'A', 'B'], `The row has 4 cells, and the first line has 3. ${quote}`],
      [
        6,
        { player: ada, score: '"2"1', player_name: 'A' },
        'The submission is malformed at "/score": must be a decimal string such as "-12.5": digits 0-9, a minus sign before them, a point among them.',
      ],
    ])
  })

  it('refuses a file of another format as a whole, with what to change', async () => {
    const other = await file('scores.txt', 'external_id,score\naccount-1,1')
    expect(await importOf(other, '--dry-run')).to.deep.include({
      code: 2,
      err: `scorebook: Line 1 of ${other} is not a JSON object. Files are read as NDJSON, with an object in each line, unless their name ends in .csv.`,
    })
    const semicolons = await file('semicolons.csv', 'external_id;score\naccount-1;1')
    expect(await importOf(semicolons, '--dry-run')).to.deep.include({
      code: 2,
      err: 'scorebook: The first line of the file has the unknown column "external_id;score". Its columns may be: player, external_id, score, secondary_score, player_name, extra_data, separated by commas.',
    })
  })

  it('tells where a quote is not closed, and how to go on', async () => {
    const path = await file(
      'open.csv',
      ['player,score,player_name', `${ada},8,`, `${ada},9,"A`, `${ada},9,`].join('\n'),
    )
    const { code, err } = await importOf(path)
    expect([code, err.split('\n').filter((line) => !line.startsWith('Submitting'))]).to.deep.equal([
      2,
      [
        'If this is interrupted, run the same command again with the same API key: it records what is missing, and no row twice.',
        'The import stopped. When its cause is gone, run the same command again with the same API key: it records what is missing, and no row twice.',
        `scorebook: ${path} cannot be read beyond line 2. Correct the row after it: a quote in it is not closed, or it has more than 65536 characters.`,
      ],
    ])
  })

  it('records nothing of a file in Latin-1, and refuses it in a dry run too', async () => {
    const before = await scores()
    const path = await file('latin1.csv', '')
    await writeFile(path, Buffer.from(`player,score,player_name\n${ada},8,A\n${ada},9,José\n`, 'latin1'))
    for (const more of [['--dry-run'], []]) {
      const { code, err } = await importOf(path, ...more)
      expect([code, err.split('\n').at(-1)]).to.deep.equal([
        2,
        `scorebook: Line 3 of ${path} is not valid UTF-8. Neither it nor a later line is sent. Convert the whole file from its encoding to UTF-8, with an editor or with \`iconv\`.`,
      ])
    }
    expect(await scores()).to.deep.equal(before)
  })

  it('says how to go on if the file cannot be read', async () => {
    for (const name of ['damaged.csv', 'damaged.ndjson']) {
      // Linux refuses to read the first byte of a process's memory: EIO, as of a damaged disk.
      const path = join(folder, name)
      await symlink('/proc/self/mem', path)
      const { code, err } = await importOf(path)
      expect([code, err.split('\n').filter((line) => !line.startsWith('Submitting'))]).to.deep.equal([
        1,
        [
          'If this is interrupted, run the same command again with the same API key: it records what is missing, and no row twice.',
          'The import stopped. When its cause is gone, run the same command again with the same API key: it records what is missing, and no row twice.',
          `scorebook: ${path} cannot be read: EIO: i/o error, read`,
        ],
      ])
    }
  })

  describe('with another API key', () => {
    const total = async () => (await service.json<ScoresPage>('board', 'top', 'total')).scores.map(({ score }) => score)
    const importTotal = async (path: string, ...more: string[]) =>
      service.run('score', 'import', path, '--leaderboard', 'total', ...more)
    const issue = async (...more: string[]) => service.json<MadeKey>('key', 'issue', '--kind', 'server', ...more)
    before(() => service.json('board', 'create', 'Total', '--key', 'total', '--keep', 'total', '--min', '0'))

    it('records nothing of a file that was imported with an earlier key, until a flag asks for it', async () => {
      const path = await file('rotated.csv', `player,score\n${ada},5`)
      const first = await issue('--save')
      expect((await importTotal(path)).code).to.equal(0)
      const second = await issue('--save')
      expect((await service.run('key', 'revoke', first.prefix)).code).to.equal(0)
      expect(await importTotal(path)).to.deep.include({
        code: 2,
        out: '',
        err:
          `scorebook: ${path} was imported to this leaderboard with the API key ${first.prefix}, and the key of this run is ${second.prefix}. ` +
          'It would record recorded rows again: the server recognizes a row only with the same API key. ' +
          `Import with ${first.prefix} (--key-file). If it is revoked, remove the recorded rows from the file, and pass --allow-other-key.`,
      })
      expect(await total()).to.deep.equal(['5'])
      await writeFile(path, `player,score\n${ada},2`)
      expect((await importTotal(path, '--allow-other-key')).out).to.equal('1 of 1 rows are recorded.')
      expect(await total()).to.deep.equal(['7'])
      expect((await importTotal(path)).out).to.equal('1 of 1 rows are recorded.')
      expect(await total()).to.deep.equal(['7'])
    })

    it('takes a file again of which the earlier key recorded no row', async () => {
      const path = await file('not-permitted.csv', `player,score\n${ada},1`)
      const weak = await issue('--permission', 'lb:*:details')
      const keyFile = await file('weak.json', JSON.stringify({ ...weak, game }))
      const refused = await importTotal(path, '--key-file', keyFile)
      expect([refused.code, refused.out.split('\n')[0]]).to.deep.equal([3, '0 of 1 rows are recorded.'])
      expect((await importTotal(path)).out).to.equal('1 of 1 rows are recorded.')
    })

    it('says that it cannot tell an earlier key, and imports nothing, if the record of it cannot be read', async () => {
      const path = await file('no-record.csv', `player,score\n${ada},1`)
      const { id } = await service.json<Leaderboard>('board', 'show', 'total')
      const record = await file(`no-record.csv.${id}.import.json`, '{')
      const before = await total()
      const { code, err } = await importTotal(path)
      expect(code).to.equal(1)
      expect(err).to.match(/^scorebook: .+, which names the API key of an earlier import, cannot be read: .+ Make it/)
      expect(err).to.contain(record)
      expect(await total()).to.deep.equal(before)
    })

    it('imports what has no folder, such as a pipe, and says that it cannot save the key', async () => {
      const opened = await open(await file('piped.ndjson', `{"player":"${ada}","score":"1"}`))
      try {
        const { code, out, err } = await importTotal(`/proc/self/fd/${opened.fd}`)
        expect([code, out]).to.deep.equal([0, '1 of 1 rows are recorded.'])
        expect(err).to.match(
          /The API key of this import cannot be saved beside the file \(.+\)\. Import the file again only/,
        )
      } finally {
        await opened.close()
      }
    })

    it('takes a file for another leaderboard, and after a dry run', async () => {
      const path = await file('two-boards.csv', `player,score\n${ada},1`)
      expect((await importOf(path)).code).to.equal(0)
      await issue('--save')
      expect((await importTotal(path, '--dry-run')).code).to.equal(0)
      await issue('--save')
      expect((await importTotal(path)).code).to.equal(0)
      expect((await importOf(path)).code).to.equal(2)
    })
  })

  it('refuses a file without the column score, with an unknown or double one, and one that is not there', async () => {
    for (const [text, fault] of [
      ['player,player,score\na,b,1', 'has the column player twice'],
      ['player,points\na,1', 'has the unknown column "points"'],
      ['player\na', 'has no column score'],
    ] as const) {
      const { code, err } = await importOf(await file('odd.csv', text))
      expect([code, err.includes(fault)]).to.deep.equal([2, true])
    }
    expect((await importOf(join(folder, 'none.csv'))).code).to.equal(2)
  })
})
