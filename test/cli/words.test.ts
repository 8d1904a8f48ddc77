// Text output of the command line: tables, escaped foreign text, progress bars, readable log lines.

import { expect } from 'chai'
import { duration, formatInteger, progressBar } from '../../cli/progress.ts'
import { readableLog } from '../../cli/serve.ts'
import { printable, shortened, type Terminal, terminalOf, widthOf } from '../../cli/terminal.ts'
import { fieldLines, textTable } from '../../cli/text-table.ts'

describe('text on a terminal', () => {
  it('aligns columns by display width, and cuts only columns that may be cut', () => {
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

  it('escapes characters that move the cursor or change the text direction', () => {
    const tricks = 'a\u001b[2Jb\u009bc\rd\ne\u202ef\u2066g\u2028h\u007f'
    expect(printable(tricks)).to.equal('a\ufffd[2Jb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg\ufffdh\ufffd')
    expect(textTable([{ title: 't' }], [[tricks]], 80)[1]).to.equal(`  ${printable(tricks)}`)
    expect(printable('é 東 👩‍👧 עברית')).to.equal('é 東 👩‍👧 עברית')
  })

  it('measures and cuts text by grapheme', () => {
    expect([widthOf('abc'), widthOf('東京'), widthOf('e\u0301'), widthOf('👩‍👧')]).to.deep.equal([3, 4, 1, 2])
    expect([shortened('東京都', 4), shortened('東京都', 5), shortened('東京都', 6)]).to.deep.equal([
      '東…',
      '東京…',
      '東京都',
    ])
  })

  it('is cut to a terminal, and never for a program or a file that reads it', () => {
    const written: string[] = []
    const stream = (isTTY: boolean, columns?: number) => ({
      isTTY,
      columns,
      write: (text: string) => written.push(text),
    })
    const host = (stdout: object, stderr: object) =>
      terminalOf({ ...process, stdout, stderr } as unknown as NodeJS.Process)
    const widths = [stream(true, 120), stream(true, 20), stream(false), stream(false, 120)].map((stdout) => {
      return host(stdout, stream(true, 100)).columns
    })
    expect(widths).to.deep.equal([120, 40, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
    const name = 'long '.repeat(100)
    expect(textTable([{ title: 'name', mayCut: true }], [[name]], Number.POSITIVE_INFINITY)[1]).to.equal(
      `  ${name}`.trimEnd(),
    )
    host(stream(false), stream(true, 50)).redraw?.('x'.repeat(100))
    expect(written).to.deep.equal([`\r\u001b[K${'x'.repeat(48)}…`])
    expect(host(stream(false), stream(false)).redraw).to.equal(null)
  })

  it('formats durations and counts', () => {
    expect([duration(0), duration(9.9), duration(9.96), duration(59.4), duration(200)]).to.deep.equal([
      '0.0 s',
      '9.9 s',
      '10 s',
      '59 s',
      '3 min 20 s',
    ])
    expect(formatInteger(1234567)).to.equal('1,234,567')
  })

  const watched = () => {
    const drawn: string[] = []
    const result: string[] = []
    const clock = { nowMs: 0 }
    const terminal = (redraw: Terminal['redraw']): Terminal => {
      return { env: {}, out: () => {}, err: (line) => void result.push(line), columns: 60, redraw }
    }
    return {
      drawn,
      result,
      clock,
      seen: terminal((text) => void drawn.push(text)),
      kept: terminal(null),
      now: () => clock.nowMs,
    }
  }

  it('draws a bar with rate and remaining time at most ten times a second', () => {
    const { drawn, result, clock, seen, now } = watched()
    const bar = progressBar(seen, 'Work', 40, { now })
    for (let done = 0; done < 40; done++) {
      clock.nowMs += 50
      bar.add()
    }
    expect(drawn).to.have.length(20)
    expect(drawn[9]).to.equal('Work  [#########...........]  47 %  20/s, 1.1 s left')
    clock.nowMs += 100
    bar.note('waiting 1.0 s, as the server asks')
    expect(drawn.at(-1)?.length).to.be.at.most(59)
    expect(drawn).to.have.length(21)
    bar.end()
    expect(drawn.at(-1)).to.equal('')
    expect(result).to.deep.equal(['Work: 40 in 2.1 s, 19/s'])
  })

  it('draws a share with a count, and only the count if no share is known', () => {
    const { drawn, result, clock, seen, now } = watched()
    const bar = progressBar(seen, 'Taking', null, { unit: ' events', now })
    const steps = [
      [500, null, ''],
      [1_000, 0.25, 'entries'],
      [4_200, 1.1, ''],
    ] as const
    for (const [done, share, beside] of steps) {
      clock.nowMs += 1_000
      bar.reached(done, share, beside)
    }
    expect(drawn).to.deep.equal([
      'Taking  500 events, 500/s',
      'Taking  [#####...............]  25 %  1,000 events, 500/s,…',
      'Taking  [####################] 100 %  4,200 events, 1,400/…',
    ])
    bar.drop()
    expect([drawn.at(-1), result]).to.deep.equal(['', []])
  })

  it('prints a line every ten seconds if the output is not a terminal, and each note once, at once', () => {
    const { result, clock, kept, now } = watched()
    const bars = [
      progressBar(kept, 'Work', 40, { now }),
      progressBar(kept, 'Taking', null, { unit: ' events', now }),
    ] as const
    for (let second = 1; second <= 25; second++) {
      clock.nowMs = second * 1_000
      bars[0].add()
      bars[1].reached(second * 100, second / 50, 'entries')
    }
    bars[0].note('waiting')
    bars[0].note('waiting longer')
    bars[0].add(-5)
    bars[0].end()
    expect(result).to.deep.equal([
      'Work: 10 of 40, 25 %, 1/s, 30 s left',
      'Taking: 1,000 events, 20 %, 100/s, 40 s left  entries',
      'Work: 20 of 40, 50 %, 1/s, 20 s left',
      'Taking: 2,000 events, 40 %, 100/s, 30 s left  entries',
      'Work: waiting',
      'Work: 20 in 25 s, 1/s',
    ])
  })

  it('formats log lines for people', () => {
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
