import { createDiscord } from '../../../adapters/discord/discord.ts'
import type { Conversation } from '../../../src/chat/conversation.ts'
import type { Identity } from '../../../src/message/address.ts'
import type { Event } from '../../../src/runtime/event.ts'
import { lacks, type ConversationPlatform, type Where } from '../../contracts/adapter.ts'
import { handClock } from '../../support/clock.ts'
import { startDiscord } from '../../support/discord/server.ts'
import { isStyled, seenText } from './readable.ts'

const POST = 'POST /channels/:id/messages'
/** Where an answer takes the place of "is thinking…". */
const SHOWN = 'PATCH /webhooks/:app/:token/messages/:message'
/** discord.js waits this much longer than it was told. */
const MARGIN_MS = 50

/** A guild with ann in it, ben outside, and the real adapter on the stand-in. */
export async function openDiscord(): Promise<ConversationPlatform> {
  const clock = handClock()
  const discord = await startDiscord({ clock })
  const guild = discord.guild('Traders')
  const traders = guild.channel('traders')
  const people = {
    ann: guild.member('ann'),
    ben: discord.user('ben'),
    boss: guild.member('boss', { manageServer: true }),
    mia: guild.member('mia'),
  }
  const events: Event[] = []
  let goesDown = false

  const open = (): Conversation => {
    const { token, apiUrl } = discord
    const adapter = createDiscord({
      token,
      apiUrl,
      clock,
      emit: (event) => events.push(event),
      random: () => 0.5,
    })
    return {
      ...adapter,
      async start(bot) {
        await adapter.start(bot)
        await online()
      },
      async deliver(send, signal) {
        if (!goesDown) return adapter.deliver(send, signal)
        goesDown = false
        await discord.down()
        const outcome = await adapter.deliver(send, signal)
        await discord.up()
        await online()
        return outcome
      },
    }
  }
  const online = () =>
    discord.ledger.until(() => discord.gateway.connected() === 1 && discord.commands().length > 0, 'online')
  const personOf = ({ user }: Identity) => {
    const found = Object.values(people).find(({ id }) => id === user)
    if (!found) throw new Error(`nobody is ${user}`)
    return found
  }
  const identityOf = ({ id }: { id: string }): Identity => ({ platform: 'discord', user: id })
  const placeOf = (who: Identity, where: Where) => (where === 'home' ? personOf(who).dm : traders)
  const meets = (fault: Partial<Parameters<typeof discord.fault>[0]>) => () =>
    discord.fault({ route: POST, kind: 'status', ...fault })

  return {
    adapter: open(),
    clock,
    events,
    secrets: [discord.token],
    ann: identityOf(people.ann),
    ben: identityOf(people.ben),
    group: {
      title: '#traders',
      admin: identityOf(people.boss),
      member: identityOf(people.mia),
      whispers: true,
      kicks: {
        begins: () => guild.kicks(),
        ends: () => guild.invites(),
        told: lacks('without any intent Discord tells nothing of servers'),
      },
      moves: lacks('a channel keeps its number'),
    },
    says(who, where, line) {
      const [, command = '', words = ''] = /^(\/\S+)\s*(.*)$/.exec(line) ?? []
      personOf(who).runs(command, { words }, placeOf(who, where))
    },
    writes: lacks('without any intent Discord tells nothing of what people write'),
    follows: lacks('no link starts a bot with a word'),
    async replies(who, where, text) {
      const asked = personOf(who).taps('Type it', placeOf(who, where))
      await discord.ledger.until(() => asked.interaction.modal !== null, 'the dialog is open')
      personOf(who).submits(text)
    },
    taps: (who, where, label) => personOf(who).taps(label, placeOf(who, where)),
    sees: (who, where) =>
      placeOf(who, where)
        .messages()
        .filter(
          ({ deletedAt, thinking, visibleTo }) =>
            deletedAt === null && !thinking && (visibleTo?.id ?? who.user) === who.user,
        )
        .map((message) => ({
          text: seenText(message, clock.now()),
          silent: message.silent,
          styled: isStyled(message),
        })),
    removes() {
      const newest = people.ann.dm.messages().findLast(({ deletedAt }) => deletedAt === null)
      if (newest) newest.deletedAt = clock.now()
    },
    editsInPlace: true,
    silence: true,
    idempotent: true,
    comesAgain: lacks('an interaction belongs to the session that got it, and lasts three seconds'),
    waits: lacks('an interaction with nobody there fails at once'),
    faults: {
      limited: () => {
        discord.fault({ route: POST, kind: 'status', status: 429, retryAfterMs: 100 })
        return 100 + MARGIN_MS
      },
      limitedEverywhere: () => {
        discord.fault({ route: POST, kind: 'status', status: 429, retryAfterMs: 100, global: true })
        return 100 + MARGIN_MS
      },
      serverError: meets({}),
      unreachable: () => void (goesDown = true),
      answerLost: meets({ kind: 'deliver-then-reset' }),
      hangs: meets({ kind: 'hang' }),
      rejected: meets({ status: 400, body: { code: 50_035, message: 'Invalid Form Body' } }),
    },
    answerFaults: {
      areApart: true,
      passing: meets({ route: SHOWN }),
      limited: () => {
        meets({ route: SHOWN, status: 429, retryAfterMs: 100 })()
        return 100 + MARGIN_MS
      },
      rejected: meets({ route: SHOWN, status: 400, body: { code: 50_035, message: 'Invalid Form Body' } }),
      gone: lacks('an interaction is answered on a way of its own, which says nothing of the chat'),
    },
    blocks: {
      begins: () => people.ann.closesMessages(),
      ends: () => people.ann.closesMessages(false),
      told: lacks('Discord does not tell who closes their direct messages'),
    },
    settles: () => discord.idle(),
    reopen: async () => open(),
    leftovers: () => [
      ...(clock.waiting() > 0 ? [`${clock.waiting()} wake-ups`] : []),
      ...(discord.gateway.connected() > 0 ? ['a connection'] : []),
    ],
    close: () => discord.stop(),
  }
}
