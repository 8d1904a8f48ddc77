// The order of the pages.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../decisions/', import.meta.url))

/** Each decision with its number and title, from its file. */
const decisions = readdirSync(folder)
  .filter((name) => /^\d{4}-.*\.md$/.test(name))
  .sort()
  .map((name) => {
    const title = /^# (.*)$/m.exec(readFileSync(folder + name, 'utf8'))?.[1] ?? name
    return { text: title, link: `/decisions/${name.replace('.md', '')}` }
  })

const part = (text, items, collapsed = false) => ({
  text,
  collapsed,
  items: items.map((item) => (Array.isArray(item) ? { text: item[0], link: item[1] } : item)),
})

export const sidebar = [
  part('Start', [
    ['Start in five minutes', '/start'],
    ['What it is, in pictures', '/explanation/'],
    ['Comparison', '/comparison'],
    ['What is absent today', '/absent'],
  ]),
  part('Tutorials', [
    ['A web game this afternoon', '/tutorials/web-game'],
    ['Scores your server vouches for', '/tutorials/verified-scores'],
    ['An analyst with a notebook', '/tutorials/analyst'],
    ['Three databases and a log cluster', '/tutorials/operator'],
  ]),
  part('How to', [
    ['Sign players in', '/how-to/sign-in'],
    ['Change the rules of a live board', '/how-to/change-rules'],
    ['Use the client library', '/how-to/client'],
    ['Store files', '/how-to/files'],
    ['Use rooms', '/how-to/rooms'],
    ['Read any past state', '/how-to/past'],
    ['Run it as a service or in containers', '/how-to/deploy'],
    ['Watch it', '/how-to/monitor'],
    ['Repair a log with a gap or a duplicate', '/how-to/repair'],
  ]),
  part('Reference', [
    ['Overview', '/reference/'],
    ['Protocol', '/protocol'],
    ['Errors', '/errors'],
    ['Command line', '/reference/cli'],
    ['Configuration', '/reference/configuration'],
    ['Events', '/reference/events'],
    ['Test vectors', '/vectors/README'],
  ]),
  part('Operations', [
    ['Operations', '/operations'],
    ['On three servers', '/servers'],
    ['For analysts', '/analysts'],
    ['Guarantees', '/guarantees'],
  ]),
  part('Inside', [
    ['Architecture', '/architecture'],
    ['Where one fact is written to two stores', '/two-stores'],
    ['Glossary', '/glossary'],
    ['Decisions', '/decisions/README'],
  ]),
  part('Decisions', decisions, true),
  part('Project', [
    ['Changelog', '/project/changelog'],
    ['Contributing', '/project/contributing'],
    ['Releasing', '/project/releasing'],
    ['Security', '/project/security'],
  ]),
]
