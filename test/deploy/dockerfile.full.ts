// Checks the Dockerfile without a container engine: what it copies exists, and what it starts is built.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { builtProgram, sourcesOf } from '../crash/build.ts'
import { ROOT, read } from './compose-file.ts'
import { execOf, lastStage, stages } from './dockerfile.ts'

const manifest = JSON.parse(read('package.json'))
/** Paths that the build itself creates. */
const MADE = ['/app/dist', '/app/node_modules']

const all = () => stages().flat()
const only = (name: string) => {
  const found = lastStage().filter((one) => one.name === name)
  expect(found, name).to.have.length(1)
  return found[0] as (typeof found)[number]
}

describe('the Dockerfile', () => {
  before(function () {
    this.timeout(60_000)
    builtProgram()
  })

  it('pins its images to one supported version of Node', () => {
    const images = all()
      .filter(({ name }) => name === 'FROM')
      .map(({ words }) => words[0] ?? '')
    expect(new Set(images).size).to.equal(1)
    expect(images[0]).to.match(/^node:24\.\d+\.\d+-slim$/)
    expect(manifest.engines.node).to.equal('>=20.19 <25')
  })

  it('copies only existing paths that .dockerignore does not exclude', () => {
    const ignore = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(ignore[0]).to.equal('*')
    const kept = ignore.slice(1).map((line) => line.slice(1))
    expect(ignore.slice(1).every((line) => line.startsWith('!'))).to.equal(true)
    expect(kept.filter((name) => name !== '*.ts' && !existsSync(join(ROOT, name)))).to.deep.equal([])
    for (const { flags, words } of all().filter(({ name }) => name === 'COPY')) {
      for (const source of words.slice(0, -1)) {
        if (flags.from === undefined) {
          expect(source === '.' || (kept.includes(source) && existsSync(join(ROOT, source))), source).to.equal(true)
        } else {
          expect(MADE.includes(source) || existsSync(join(ROOT, source.replace('/app/', ''))), source).to.equal(true)
        }
      }
    }
  })

  it('includes every folder with sources, and excludes secrets, tests and the Git history', () => {
    const built = dirname(dirname(builtProgram()))
    const files = readdirSync(built, { recursive: true, encoding: 'utf8' })
    const bundled = files.filter((name) => name.endsWith('.js') && !name.startsWith('node_modules'))
    const folders = new Set(bundled.flatMap((name) => sourcesOf(join(built, name))).map((path) => path.split('/')[0]))
    const ignore = read('.dockerignore')
    expect(folders.size).to.be.greaterThan(10)
    expect([...folders].filter((folder) => !new RegExp(`^!${folder}(/|$)`, 'm').test(ignore))).to.deep.equal([])
    for (const name of ['.env', 'data', '.git', 'test', 'node_modules', 'dist']) {
      expect(ignore, name).not.to.match(new RegExp(`^!${name.replace('.', '\\.')}$`, 'm'))
    }
  })

  it('starts the program of package.json directly with Node', () => {
    const start = execOf(only('ENTRYPOINT'))
    expect(start[0]).to.equal('node')
    expect(start.at(-1)).to.equal(manifest.bin.scorebook)
    expect([...start, ...execOf(only('CMD'))].join(' ')).to.equal(manifest.scripts.start.replace('exec ', ''))
    const built = join(dirname(dirname(builtProgram())), manifest.bin.scorebook.replace('dist/', ''))
    expect(readFileSync(built, 'utf8')).to.match(/^#!\/usr\/bin\/env node\n/)
  })

  it('runs as an unprivileged user, and checks its health without a shell', () => {
    expect(only('USER').text).to.match(/^[1-9]\d*:[1-9]\d*$/)
    const order = lastStage().map(({ name }) => name)
    expect(order.lastIndexOf('RUN')).to.be.below(order.indexOf('USER'))
    const check = execOf(only('HEALTHCHECK'))
    expect(check.slice(0, 2)).to.deep.equal(['node', '-e'])
    for (const instruction of all().filter(({ name }) => name === 'RUN')) execOf(instruction)
  })

  it('needs no development dependency', () => {
    const packages: Record<string, { dev?: boolean }> = JSON.parse(read('package-lock.json')).packages
    const built = dirname(dirname(builtProgram()))
    const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.js') && !name.startsWith('node_modules'),
    )
    const imported = new Set<string>()
    for (const file of files) {
      const text = readFileSync(join(built, file), 'utf8')
      for (const [, target = ''] of text.matchAll(/(?<![.\w])(?:from|import)\s*\(?['"]([@a-z][^'"]*)['"]/g)) {
        if (target.startsWith('node:')) continue
        imported.add(
          target
            .split('/')
            .slice(0, target.startsWith('@') ? 2 : 1)
            .join('/'),
        )
      }
    }
    expect(imported.size).to.be.greaterThan(10)
    const missing = [...imported].filter(
      (name) => packages[`node_modules/${name}`]?.dev !== undefined || !packages[`node_modules/${name}`],
    )
    expect(missing).to.deep.equal([])
  })
})
