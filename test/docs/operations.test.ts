// Compares docs/operations.md with the program: every metric, 5xx code and start error has a row, quoted texts exist,
// and alarm rules name existing metrics.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { pino } from 'pino'
import { parse } from 'yaml'
import { STREAM_PREFIXES } from '../../domain/streams.ts'
import { PROBLEMS } from '../../http/problem-codes.ts'
import { readConfig } from '../../server/config.ts'
import { type Running, start } from '../../server/start.ts'
import { newFolder } from '../cli/service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string): string => readFileSync(`${ROOT}${name}`, 'utf8')
const page = read('docs/operations.md')

/** The quoted texts in the first column of the table below a heading. */
function quoted(heading: string): string[] {
  const section = page.split(`\n### ${heading}\n`)[1]?.split('\n#')[0] ?? ''
  const cells = [...section.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))
}

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}

describe('docs/operations.md', () => {
  let running: Running
  let names: string[]
  before(async () => {
    const DATA_DIR = await newFolder()
    running = await start(readConfig({ DATA_DIR, PORT: '0', ADMIN_PORT: '0' }), pino({ level: 'silent' }))
    const metrics = await (await fetch(`http://127.0.0.1:${running.adminPort}/metrics`)).text()
    names = [...metrics.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name)
  })
  after(() => running.stop())

  it('documents every metric of ours, and only existing metrics of the runtime', () => {
    const ours = names.filter((name) => name.startsWith('scorebook_'))
    expect(ours).to.have.length.above(7)
    expect(ours.filter((name) => !page.includes(`\`${name}\``))).to.deep.equal([])
    const runtime = [...page.matchAll(/`((?:process|nodejs)_[a-z0-9_]+)`/g)].map(([, name = '']) => name)
    expect(runtime).to.have.length.above(3)
    expect(runtime.filter((name) => !names.includes(name))).to.deep.equal([])
    expect(names.filter((name) => !/^(scorebook|process|nodejs)_/.test(name))).to.deep.equal([])
  })

  it('documents what to do about every 5xx code', () => {
    const codes = Object.keys(PROBLEMS).filter((code) => (PROBLEMS[code]?.status ?? 0) >= 500)
    expect(quoted('When callers see a 5xx').sort()).to.deep.equal(codes.sort())
  })

  it('quotes only start errors that the program has', () => {
    const sources = [
      'server/config.ts',
      'server/start.ts',
      'portability/import/import-marker.ts',
      'server/open-stores.ts',
      ...below('stores'),
      ...below('projections'),
      'runtime/network.ts',
    ]
    const texts = sources.map((name) => joined(read(name))).join('\n')
    expect(quoted('When it does not start')).to.have.length.above(25)
    expect(quoted('When it does not start').filter((phrase) => !texts.includes(phrase))).to.deep.equal([])
  })

  it('has a row for every start error of a store', () => {
    const phrases = quoted('When it does not start')
    const reasons = below('stores').flatMap((name) => reasonsIn(joined(read(name))))
    expect(reasons.length).to.be.above(20)
    expect(reasons.filter((reason) => !phrases.some((phrase) => reason.includes(phrase)))).to.deep.equal([])
  })

  it('lists the Redis rights of compose.yaml', () => {
    const [, line = ''] = /^user scorebook on >password (.*)$/m.exec(page) ?? []
    const command: string[] = parse(read('compose.yaml'), { merge: true }).services.redis.command
    expect(line.split(' ')).to.deep.equal(command.slice(command.findIndex((word) => word.startsWith('~'))))
  })

  it('lists the prefix of every stream in servers.md', () => {
    const [, list = ''] = /our streams begin with ([^;]+);/.exec(read('docs/servers.md')) ?? []
    expect([...list.matchAll(/`([^`]+)`/g)].map(([, prefix]) => prefix)).to.deep.equal([...STREAM_PREFIXES])
  })

  it('links only to existing targets, and is linked to', () => {
    for (const [, target = ''] of page.matchAll(/\]\(([^)#]+)\)/g))
      expect(() => read(`docs/${target}`), target).not.to.throw()
    for (const [, target = ''] of page.matchAll(/`((?:deploy|test)\/[^`]*|compose\.yaml)`/g)) {
      if (!target.endsWith('/')) expect(() => read(target), target).not.to.throw()
    }
    expect(read('README.md')).to.contain('(docs/operations.md)')
  })

  it('comes with a Grafana dashboard whose every panel names existing, documented metrics', () => {
    const { panels } = JSON.parse(read('deploy/grafana-dashboard.json')) as {
      panels: { title: string; targets: { expr: string }[] }[]
    }
    expect(panels).to.have.length.above(10)
    for (const { title, targets } of panels) {
      const named = targets.flatMap(({ expr }) => metricsIn(expr))
      expect(named, title).to.have.length.of.at.least(targets.length)
      expect(
        named.filter((name) => !names.includes(name) || !page.includes(`\`${name}\``)),
        title,
      ).to.deep.equal([])
    }
  })

  it('comes with alarm rules that name existing, documented metrics', () => {
    const { groups } = parse(read('deploy/alerts.yaml')) as { groups: { name: string; rules: Rule[] }[] }
    const rules = groups.flatMap((group) => group.rules)
    expect(new Set(rules.map(({ alert }) => alert)).size)
      .to.equal(rules.length)
      .and.above(7)
    for (const { alert, expr, labels, annotations } of rules) {
      expect(alert).to.match(/^Scorebook[A-Z]\w+$/)
      expect(labels.severity, alert).to.be.oneOf(['page', 'ticket'])
      expect(annotations.summary, alert).to.be.a('string').and.not.equal('')
      const named = metricsIn(expr)
      expect(named.length > 0 || /^up\{/.test(expr), alert).to.equal(true)
      expect(
        named.filter((name) => !names.includes(name) || !page.includes(`\`${name}\``)),
        alert,
      ).to.deep.equal([])
    }
  })
})

/** The metrics that an expression names, without the suffixes of histograms. */
const metricsIn = (expr: string): string[] =>
  [...expr.matchAll(/\b(?:scorebook|process|nodejs)_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''))

const below = (folder: string): string[] =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)

/** Joins string concatenations that span lines. */
const joined = (source: string): string => source.replace(/['`] \+\n\s*['`]/g, '')

/**
 * The start errors of a store in a source file, without texts of other programs.
 */
function reasonsIn(source: string): string[] {
  const faults = [...source.matchAll(/new StoresFault\(\s*(['`][\s\S]*?)\)(?:,|;|\n)/g)].map(([, text = '']) => text)
  const added = [...source.matchAll(/\badd\(\s*'[a-z-]+',\s*(['`][\s\S]*?)\)\n/g)].map(([, text = '']) => text)
  // Texts that begin with a value: a path with SQLite's error, and the format of an address.
  return [...faults, ...added].filter((text) => !/^`\$\{(path\}: \$\{text|FORM)/.test(text))
}
