// How the command line words things: tables that fit, text of others made harmless, bars, readable log lines.

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { readableLog } from '../../cli/log-lines.ts'
import { duration, progressBar, whole } from '../../cli/progress.ts'
import { printable, shortened, type Terminal, widthOf } from '../../cli/terminal.ts'
import { fieldLines, textTable } from '../../cli/text-table.ts'

describe('words on a terminal', () => {
  it('lines up columns by what they take on the screen, and cuts only what may be cut', () => {
    const columns = [{ title: 'n', align: 'right' as const }, { title: 'name', mayCut: true }, { title: 'id' }]
    const rows = [
      ['1', '東京 taro', 'aaaa'],
      ['10', 'A name that is far too long for this', 'bbbb'],
    ]
    expect(textTable(columns, rows, 24)).to.deep.equal([
      '   n  name          id',
      '   1  東京 taro     aaaa',
      '  10  A name that…  bbbb',
    ])
    expect(textTable(columns, rows, 5)[2]).to.equal('  10  A nam…  bbbb')
    expect(
      fieldLines([
        ['a', '1'],
        ['long', '2'],
      ]),
    ).to.deep.equal(['  a     1', '  long  2'])
  })

  it('shows no character that could move the cursor or turn the text round', () => {
    const tricks = 'a\u001b[2Jb\u009bc\rd\ne\u202ef\u2066g\u2028h\u007f'
    expect(printable(tricks)).to.equal('a\ufffd[2Jb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg\ufffdh\ufffd')
    expect(textTable([{ title: 't' }], [[tricks]], 80)[1]).to.equal(`  ${printable(tricks)}`)
    expect(printable('é 東 👩‍👧 עברית')).to.equal('é 東 👩‍👧 עברית')
  })

  it('measures and cuts by what a reader sees as one character', () => {
    expect([widthOf('abc'), widthOf('東京'), widthOf('e\u0301'), widthOf('👩‍👧')]).to.deep.equal([3, 4, 1, 2])
    expect([shortened('東京都', 4), shortened('東京都', 5), shortened('東京都', 6)]).to.deep.equal([
      '東…',
      '東京…',
      '東京都',
    ])
  })

  it('says how long and how many', () => {
    expect([duration(0), duration(9.9), duration(9.96), duration(59.4), duration(200)]).to.deep.equal([
      '0.0 s',
      '9.9 s',
      '10 s',
      '59 s',
      '3 min 20 s',
    ])
    expect(whole(1234567)).to.equal('1,234,567')
  })

  it('draws a bar with rate and time left for a person, at most ten times a second', () => {
    const drawn: string[] = []
    const said: string[] = []
    let nowMs = 0
    const terminal: Terminal = {
      env: {},
      out: () => {},
      err: (line) => void said.push(line),
      columns: 60,
      redraw: (text) => void drawn.push(text),
    }
    const bar = progressBar(terminal, 'Work', 40, () => nowMs)
    for (let done = 0; done < 40; done++) {
      nowMs += 50
      bar.add()
    }
    expect(drawn).to.have.length(20)
    expect(drawn[9]).to.equal('Work  [#########...........]  47 %  20/s, 1.1 s left')
    nowMs += 100
    bar.note('waiting 1.0 s, as the server asks')
    expect(drawn.at(-1)?.length).to.be.at.most(59)
    bar.end()
    expect(drawn.at(-1)).to.equal('')
    expect(said).to.deep.equal(['Work: 40 in 2.1 s, 19/s'])
  })

  it('makes log lines readable', () => {
    const lines: string[] = []
    const log = readableLog((line) => void lines.push(line))
    const time = Date.parse('2026-11-21T07:05:01.123Z')
    const at = new Date(time).toTimeString().slice(0, 8)
    const request = { method: 'GET', route: '/api/gm/', status: 200, ms: 1.234, request_id: 'x', key: 'sk_a' }
    log.write(JSON.stringify({ level: 30, time, msg: 'request', ...request }))
    log.write(JSON.stringify({ level: 30, time, msg: 'ready', port: 1, views: ['a'] }))
    log.write(JSON.stringify({ level: 50, time, msg: 'failed', failure: 'Error: x\u001b[1m\n    at y' }))
    expect(lines).to.deep.equal([
      `${at} GET /api/gm/ 200 1.2 ms`,
      `${at} ready port=1`,
      `${at} ERROR failed`,
      'Error: x\ufffd[1m',
      '    at y',
    ])
  })
})
