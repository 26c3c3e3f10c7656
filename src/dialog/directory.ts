import { ACKNOWLEDGED_FOR_MS } from '../alert/alert-state.ts'
import type { ActionPress } from '../chat/action-link.ts'
import type { Bot, Inbound } from '../chat/bot.ts'
import type { CriticalAlerts } from '../chat/notifier.ts'
import type { Firing, View } from '../command/context.ts'
import type { Address } from '../message/address.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'
import type { Speaker } from './access.ts'

/** Knows who speaks, and takes what platforms report of their chats. */
interface Directory
  extends Pick<Bot, 'chatChanged' | 'tellOperator'>, Pick<CriticalAlerts, 'rings' | 'acknowledged'> {
  /** Who this is; whoever may use the bot without being invited is met here. */
  meet(from: Inbound): Promise<Speaker>
  /** The same from memory. */
  recognise(from: Inbound): Speaker
  /** Who presses a button where people are only told; null when nobody is told there. */
  toldAt(press: ActionPress): Inbound | null
}

const CANNOT_WRITE = 'the platform says that we cannot write there'

export function createDirectory(world: {
  view: View
  access: 'claim' | 'open'
  isLocal(platform: string): boolean
  /** People name a place there, and are only told. */
  isNamed(platform: string): boolean
  emit: Emit
  /** The wall's. */
  now(): number
  /** Resolves once it is kept, and what waits for it goes on. */
  change(change: Change): Promise<unknown>
  /** What waits in a broken chat may go now. */
  tryAgain(chatId: number): void
}): Directory {
  const { view, access, isLocal, isNamed, emit, change, tryAgain } = world

  function recognise({ by, chat, answerUnread }: Inbound): Speaker {
    // Nobody there has a name: what we offered there was offered to whoever named the place.
    const person = answerUnread ? view.personAt(chat) : view.person(by)
    const own = person?.defaultChat == null ? null : view.chat(person.defaultChat)
    const here = view.chatAt(chat)
    return { person, own, bound: here && !here.private ? here : null, local: isLocal(by.platform) }
  }

  /** What whoever is told there hears of: their own, and that of chats which they have bound. */
  function firing(there: Address): readonly Firing[] {
    const personId = view.chatAt(there)?.personId
    if (personId === undefined) return []
    const bound = view.chats(personId).flatMap(({ id }) => view.firingIn(id))
    return [...view.firing(personId), ...view.helping(personId), ...bound]
  }

  /** Who has acknowledged there: for somebody else, they are named. */
  function wordOf(there: Address, alertId: number): string {
    const personId = view.chatAt(there)?.personId ?? 0
    if (!view.helping(personId).some((one) => one.alertId === alertId)) return there.platform
    const [known] = view.helped(personId)
    return `${known?.delegateName ?? ''} (${there.platform})`.trim()
  }

  /** What platforms tell is kept when it can be; nobody waits for it. */
  function keep(told: Change): void {
    change(told).catch((error: unknown) =>
      emit({ is: 'trouble', where: 'chat', why: 'what a platform told could not be kept', error }),
    )
  }

  return {
    recognise,
    async meet(from) {
      const { by, home } = from
      const speaker = recognise(from)
      // Where an answer is for one person alone, they are as much at home as in private.
      const welcome = speaker.local || (access === 'open' && (from.private || from.whisper))
      if (welcome && (!speaker.person || !view.chatAt(home)))
        await change({ is: 'meet', by, home, as: speaker.local ? 'local' : 'person' })
      // Whoever is heard may have mended it. That we hear them does not show it: what waits there is tried.
      for (const chat of [view.chatAt(from.chat), view.chatAt(home)])
        if (chat && chat.brokenBecause !== null) tryAgain(chat.id)
      return recognise(from)
    },
    toldAt({ id, there }) {
      const { platform, chat } = there
      if (!isNamed(platform) || view.personAt(there) === null) return null
      return {
        ...{ id, by: { platform, user: chat }, name: `somebody at ${platform}`, chat: there, home: there },
        ...{ private: true, mayConfigure: false, whisper: false, answersApart: true, answerUnread: true },
      }
    },
    chatChanged(address: Address, to) {
      const there = view
        .chatsIn(address)
        .filter(({ address: { thread } }) => address.thread === null || thread === address.thread)
      for (const { id: chatId, address: known, brokenBecause } of there) {
        if (to === 'gone') keep({ is: 'chat-broken', chatId, why: CANNOT_WRITE })
        else if (to !== 'back') {
          const moved = address.thread === null ? { ...to.moved, thread: known.thread } : to.moved
          keep({ is: 'chat-moved', chatId, to: moved })
        } else if (brokenBecause !== null) keep({ is: 'chat-back', chatId })
      }
    },
    rings: (there, alertIds) =>
      firing(there).some(
        ({ alertId, severity, acknowledgement }) =>
          alertIds.includes(alertId) && severity === 'critical' && acknowledgement.is === 'waiting',
      ),
    async acknowledged(there, alertIds, at) {
      // What has got worse since then is something else, which they have not seen.
      const open = firing(there).flatMap(({ alertId, acknowledgement }) =>
        alertIds.includes(alertId) && acknowledgement.is === 'waiting' && acknowledgement.since <= at
          ? [alertId]
          : [],
      )
      const until = world.now() + ACKNOWLEDGED_FOR_MS
      const acknowledgement = { is: 'acknowledgement', as: 'acknowledged', until, readIn: null } as const
      for (const [by, ids] of Map.groupBy(new Set(open), (id) => wordOf(there, id)))
        await change({ ...acknowledgement, alertIds: ids, by })
    },
    tellOperator: (words, except) => keep({ is: 'notice', words, over: false, except: except ?? null }),
  }
}
