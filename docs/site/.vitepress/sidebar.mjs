// The order of the pages.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const index = fileURLToPath(new URL('../../decisions/README.md', import.meta.url))

/** The areas of the decisions, in the order of their index. The archive has one link, to its own index. */
const decisions = [...readFileSync(index, 'utf8').matchAll(/^## \[(.+)\]\((.+)\.md\)$/gm)].map(([, text, name]) => ({
  text,
  link: `/decisions/${name}`,
}))

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
    ['A weekly board this afternoon', '/tutorials/weekly-board'],
    ['Scores your server vouches for', '/tutorials/verified-scores'],
    ['An analyst with a notebook', '/tutorials/analyst'],
    ['Three databases and a log cluster', '/tutorials/operator'],
  ]),
  part('How to', [
    ['Sign players in', '/how-to/sign-in'],
    ['Weekly and other periodic boards', '/how-to/periodic'],
    ['Recipes for leaderboards', '/how-to/recipes'],
    ['Change the rules of a live board', '/how-to/change-rules'],
    ['Use the client library', '/how-to/client'],
    ['Submit a whole match', '/how-to/submit-many'],
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
    ['How the parts work', '/design'],
    ['Where one fact is written to two stores', '/two-stores'],
    ['Glossary', '/glossary'],
    ['Decisions', '/decisions/README'],
  ]),
  part('Decisions', [...decisions, ['Archive of the notes', '/decisions/archive/README']], true),
  part('Project', [
    ['Changelog', '/project/changelog'],
    ['Contributing', '/project/contributing'],
    ['Releasing', '/project/releasing'],
    ['Security', '/project/security'],
  ]),
]
