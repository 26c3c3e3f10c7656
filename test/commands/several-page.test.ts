import { readFileSync, writeFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { plainLines } from '../../src/message/message.ts'
import { positionKey } from '../../src/venue/position.ts'
import { aDialog, anInbound } from '../dialog/world.ts'
import { NOON } from '../support/clock.ts'
import { aWatch } from '../support/fixtures.ts'
import { answerWith, hedgedAccounts as accounts, hedged, VENUES, viewOfTwo } from '../support/two-venues.ts'

const PAGE = new URL('../../docs/several.md', import.meta.url)
const [BEGIN, END] = ['<!-- the stories begin -->', '<!-- the stories end -->']

/** The second venue has answered five minutes ago. */
const silent = {
  failedParts: [{ part: 'lighter', why: 'HTTP 503' }],
  remembered: hedged.filter(({ accountId }) => accountId.startsWith('lighter/')).map(positionKey),
}

const STORIES = [
  { title: 'Each venue has its sum, and all have one:', line: '/positions', answer: {} },
  {
    title: 'A move is the same everywhere, and each account is judged by its own figures:',
    line: '/shock all -11%',
    answer: {},
  },
  { title: 'A name that several venues list:', line: '/market ETH', answer: {} },
  { title: 'A venue that does not answer:', line: '/positions', answer: silent },
]

test('docs/several.md shows what is said', async () => {
  const shown: string[] = []
  for (const { title, line, answer } of STORIES) {
    const { dialog } = aDialog({
      venues: VENUES,
      view: {
        ...viewOfTwo(),
        watches: () => [aWatch({ label: 'main' })],
        looks: () => [
          { at: NOON, mono: 0, whole: true },
          { venue: 'lighter', at: NOON - 300_000, mono: 0, whole: true },
        ],
        positionSeenAt: () => NOON - 300_000,
      },
      answers: () => answerWith(hedged, { accounts, ...answer }),
    })
    const said = { ...(await dialog.line(anInbound(), line)), buttons: [] }
    const text = plainLines(said, { now: NOON, zone: 'UTC' }).join('\n')
    shown.push(`${title}\n\n\`\`\`text\n> ${line}\n${text}\n\`\`\``)
  }
  const page = readFileSync(PAGE, 'utf8')
  const [before = '', rest = ''] = page.split(BEGIN)
  const [, after = ''] = rest.split(END)
  const made = `${before}${BEGIN}\n\n${shown.join('\n\n')}\n\n${END}${after}`
  if (process.env['UPDATE_DOCS']) writeFileSync(PAGE, made)
  else expect(page, 'npm run docs writes it').toBe(made)
})
