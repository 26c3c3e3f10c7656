import type { View } from '../../../adapters/web/answer/view.ts'
import { identityOf } from '../../../adapters/web/sign-in/credential.ts'
import { type ConversationPlatform, lacks, type Seen, testConversation } from '../../contracts/adapter.ts'
import { breathe } from '../../support/clock.ts'
import { eventually } from '../../support/patience.ts'
import { openPage, type Page, textOf } from './page.ts'
import { heard, serve } from './served.ts'

const ALONE = lacks('a page is one person’s alone')
const NO_SERVICE = lacks('no service stands between Perch and the page')

await testConversation('a page', open)

interface Reader {
  page: Page
  secret: string
  seen: { view: View; seen: Seen }[]
  hasClosed: boolean
}

async function open(): Promise<ConversationPlatform> {
  const served = await serve()
  const readers = new Map<string, Reader>()
  const reader = (secret: string): Reader => {
    const one: Reader = { page: openPage(served.url), secret, seen: [], hasClosed: false }
    one.page.onEvent(({ event, data }) => {
      if (event === 'said') shows(one, data as View)
    })
    readers.set(identityOf(secret).user, one)
    return one
  }
  reader('ann'.padStart(43, 'a'))
  reader('ben'.padStart(43, 'b'))
  const [ann, ben] = [...readers.keys()].map((user) => ({ platform: 'web', user }))
  if (!ann || !ben) throw new Error('two people have pages')
  let current = heard(served.open())

  const of = (user: string): Reader => {
    const one = readers.get(user)
    if (!one) throw new Error(`${user} has no page`)
    return one
  }
  const connects = async ({ page, hasClosed }: Reader) => {
    if (!hasClosed && page.cookie() !== null && !page.isConnected()) await page.connect()
  }
  /** Signs in by a code, the first time. */
  const entered = async (user: string): Promise<Reader> => {
    const one = of(user)
    if (one.page.cookie() === null) {
      const code = `CODE-${user.slice(0, 4)}`
      current.bot().codes.add(code)
      served.secrets.push(one.secret)
      await one.page.enter({ code })
    }
    await connects(one)
    return one
  }
  const says = async (user: string, line: string) => {
    const one = await entered(user)
    // The page waits for the answer, and the person does not.
    void one.page
      .say(line, `${one.secret.slice(-3)}-${crypto.randomUUID()}`)
      .then((view) => view && shows(one, view))
      .catch(() => {})
    await breathe()
  }
  /** Everything that was streamed has been read. */
  const isRead = () => {
    const read = [...readers.values()].reduce((sum, { page }) => sum + page.bytes(), 0)
    return [...readers.values()].some(({ hasClosed }) => hasClosed) || read >= served.streamed()
  }
  const closes = async (user: string) => {
    const one = of(user)
    one.hasClosed = true
    one.page.leave()
    await eventually(() => served.waiting() === 0)
    const home = { platform: 'web', chat: user, thread: null }
    const signal = new AbortController().signal
    await eventually(
      async () => (await current.adapter.inspect({ platform: 'web', user }, home, signal))?.mayPost !== true,
    )
  }
  return {
    adapter: current.adapter,
    clock: served.clock,
    events: served.events,
    secrets: [...readers.values()].map(({ secret }) => secret),
    ann,
    ben,
    group: ALONE,
    says: (who, _where, line) => says(who.user, line),
    writes: (who, text) => says(who.user, text),
    replies: (who, _where, text) => says(who.user, text),
    follows: lacks('a link to the page carries a code, which no bot hears as a word'),
    taps(who, _where, label) {
      const views = of(who.user).seen.map(({ view }) => view)
      const all = views.flatMap(({ items, buttons }) => [...items.flatMap((one) => one.buttons), ...buttons])
      return says(who.user, all.findLast((one) => one.label === label)?.line ?? '')
    },
    async sees(who) {
      await breathe()
      await eventually(isRead)
      return of(who.user).seen.map(({ seen }) => seen)
    },
    removes: lacks('nobody deletes what the page shows'),
    editsInPlace: false,
    silence: lacks('a page makes no sound'),
    idempotent: lacks('what a page shows is a copy of what a chat was told'),
    comesAgain: lacks('a page whose request was cut asks again by itself'),
    waits: lacks('a page that reaches nobody says so'),
    faults: {
      limited: NO_SERVICE,
      limitedEverywhere: NO_SERVICE,
      serverError: NO_SERVICE,
      unreachable: NO_SERVICE,
      answerLost: NO_SERVICE,
      hangs: NO_SERVICE,
      rejected: NO_SERVICE,
    },
    answerFaults: {
      passing: NO_SERVICE,
      limited: NO_SERVICE,
      rejected: NO_SERVICE,
      gone: () => closes(ann.user),
    },
    blocks: {
      begins: () => closes(ann.user),
      async ends() {
        of(ann.user).hasClosed = false
        await connects(of(ann.user))
      },
      told: lacks('a page that closes says nothing'),
    },
    async settles() {
      await served.clock.advance(0)
      for (const one of readers.values()) await connects(one)
      await breathe()
    },
    async reopen() {
      current = heard(served.open())
      return current.adapter
    },
    leftovers: () => [
      ...(served.clock.waiting() > 0 ? [`${served.clock.waiting()} wake-ups`] : []),
      ...(current.bot().followers() > 0 ? ['a follower'] : []),
    ],
    async close() {
      for (const { page } of readers.values()) page.leave()
      await served.close()
    },
  }
}

function shows({ seen }: Reader, view: View): void {
  const styled = JSON.stringify(view).includes('"strong"') || JSON.stringify(view).includes('"code":')
  seen.push({ view, seen: { text: textOf(view), silent: true, styled } })
}
