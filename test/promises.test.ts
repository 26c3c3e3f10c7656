import { existsSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { promisesIn } from './support/promises.ts'
import { readSources } from './support/sources.ts'

/**
 * Every promise that a message makes, with the test that sees it kept: where it is said, how it begins, the file of the
 * test, and a part of its name. Who adds a promise writes its test.
 */
const KEPT: readonly (readonly [said: string, promise: string, file: string, name: string])[] = [
  ['src/words/en/rules.ts', '✓ I’ll alert you when', 'scenarios/rules', 'for one market adds its line'],
  [
    'src/words/en/rules.ts',
    'Critical alerts and outages still ring',
    'scenarios/rest',
    'never hides what is critical',
  ],
  ['src/words/en/rules.ts', 'Critical alerts still ring', 'scenarios/rest', 'never hides what is critical'],
  [
    'src/words/en/rules.ts',
    'You still hear if it gets worse',
    'scenarios/waking',
    'hides neither what is worse',
  ],
  [
    'src/words/en/rules.ts',
    'then you get it again',
    'scenarios/waking',
    'ends, and says so if it still fires',
  ],
  [
    'src/words/en/nights.ts',
    'I’ll tell you when they agree',
    'scenarios/escalation',
    'reads to what, says yes',
  ],
  [
    'src/words/en/nights.ts',
    'Critical alerts still ring',
    'scenarios/rest',
    'what is critical rings, and nothing else',
  ],
  [
    'src/words/en/nights.ts',
    'The rest comes in one message',
    'scenarios/rest',
    'say what comes now that they are over',
  ],
  [
    'src/words/en/nights.ts',
    'Waiting messages come',
    'scenarios/rest',
    'that ends early announces what it held back',
  ],
  [
    'src/words/en/alerts.ts',
    'I’ll still tell you if it gets worse or clears',
    'scenarios/waking',
    'is said again for twelve hours, and then that it is not any more',
  ],
  [
    'src/words/en/parse.ts',
    'Send me a wallet address (0x…) and I’ll watch it',
    'scenarios/menu',
    'an address that a newcomer sends is watched',
  ],
  [
    'src/words/en/parse.ts',
    'Paste a wallet address (0x…) and I’ll watch it',
    'scenarios/menu',
    'an address that a newcomer sends is watched',
  ],
  ['src/words/en/people.ts', 'It’s your backup chat: it gets', 'scenarios/away', 'what goes there'],
  ['src/words/en/people.ts', 'It’s in your list: it gets', 'scenarios/away', 'what goes there'],
  ['src/words/en/people.ts', 'Then name it again', 'scenarios/unproven', 'when another one is named instead'],
  [
    'src/words/en/people.ts',
    'Then say anything to me',
    'adapters/discord/promises',
    'heals when they are opened',
  ],
  [
    'src/words/en/wallets.ts',
    'You’ll get an alert when',
    'scenarios/waking',
    'waits for 15 s, and is told once then',
  ],
  [
    'src/words/en/wallets.ts',
    'I keep trying, and your alerts',
    'scenarios/promises',
    'whose first read has failed',
  ],
  [
    'src/words/en/wallets.ts',
    'I couldn’t see its margin ratio',
    'scenarios/promises',
    'a margin ratio that /watch',
  ],
  [
    'src/words/en/wallets.ts',
    'I’ll watch it anyway',
    'scenarios/endings',
    'that the venue has never seen is watched',
  ],
  ['src/words/en/you.ts', 'I tell them that it ends', 'scenarios/escalation', 'because its person is gone'],
  ['src/words/en/you.ts', 'I ask you here', 'scenarios/evening', 'a link code admits nobody'],
  [
    'src/words/en/home.ts',
    'Paste a wallet address (0x…) and I’ll watch it',
    'adapters/telegram/paths',
    'what newcomers want first',
  ],
  [
    'src/words/en/you.ts',
    'I’ll write there when your first chat fails',
    'scenarios/fallback',
    'goes to the fallback as well',
  ],
  [
    'src/words/en/changes.ts',
    'I’ll tell you when the alerts',
    'scenarios/handover',
    'is taken back whenever',
  ],
  ['src/words/en/nights.ts', 'I’ll still tell you how', 'scenarios/handover', 'ends by the clock'],
  ['src/words/en/changes.ts', 'I’ll warn you if it gets worse', 'scenarios/blind', 'the price falls on'],
  ['src/words/en/changes.ts', 'I’ll tell you when I can see again', 'scenarios/blind', 'and once on return'],
  ['src/words/en/changes.ts', 'I’m checking now', 'scenarios/stopped', 'all wallets read at once'],
  ['src/words/en/changes.ts', 'Alerts from that time', 'scenarios/stopped', 'tells what it finds then'],
  ['src/words/en/people.ts', 'I try again every few minutes', 'outbox/failures', 'everywhere, for an hour'],
  [
    'src/words/en/people.ts',
    'Waiting messages go out as soon',
    'outbox/failures',
    'everywhere: nothing goes out on that platform',
  ],
  ['src/words/en/people.ts', 'I try every', 'outbox/failures', 'it is asked again within five minutes'],
  [
    'src/words/en/changes.ts',
    'I’m alerting the operator',
    'outbox/storage-alarm',
    'the log says that they do not know',
  ],
  ['src/words/en/people.ts', 'I try again every hour', 'ops/nightly', 'what fails is tried every hour'],
  ['src/words/en/people.ts', 'My memory ends at', 'scenarios/backup', 'the bot goes on from a backup'],
  [
    'src/words/en/page/browser.ts',
    'I can’t reach Perch and keep trying',
    'adapters/web/browser/life',
    'that is cut off for half a minute misses nothing',
  ],
  [
    'src/words/en/wallets.ts',
    'Somebody else’s: I tell you what it does',
    'scenarios/following',
    'is told quietly: it grows, turns, and closes',
  ],
  ['src/words/en/kinds.ts', 'It is the same position', 'scenarios/renamed', 'the position is watched on'],
]

const promises = promisesIn(readSources())

test('every promise in a message has a test', () => {
  const isKept = ({ path, sentence }: (typeof promises)[number]) =>
    KEPT.some(([said, promise]) => said === path && sentence.startsWith(promise))
  expect(promises.filter((one) => !isKept(one))).toEqual([])
})

test.each(KEPT)('%s: “%s” is still said, and its test is there', (said, promise, file, name) => {
  expect(promises.filter((one) => one.path === said && one.sentence.startsWith(promise))).not.toEqual([])
  const path = `${import.meta.dirname}/${file}.test.ts`
  expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toContain(name)
})

test.each(['I will call you.', 'Wait: I try again every hour', 'It failed, and I keep trying.'])(
  'a new promise is found: “%s”',
  (words) => {
    expect(promisesIn(new Map([['src/new.ts', `const words = '${words}'`]]))).toHaveLength(1)
  },
)
