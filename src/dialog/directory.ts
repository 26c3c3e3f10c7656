import { ACKNOWLEDGED_FOR_MS } from '../alert/alert-state.ts'
import type { ActionPress } from '../chat/action-link.ts'
import type { Bot, Inbound } from '../chat/bot.ts'
import type { CriticalAlerts } from '../chat/notifier.ts'
import type { Firing, View } from '../command/context.ts'
import type { Address } from '../message/address.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'
import type { Speaker } from './access.ts'

/** Knows the people and their chats, and takes reports of platforms about chats. */
interface Directory
  extends Pick<Bot, 'chatChanged' | 'tellOperator'>, Pick<CriticalAlerts, 'rings' | 'acknowledged'> {
  /** Finds the person. Creates one if they may use the bot without an invitation. */
  meet(from: Inbound): Promise<Speaker>
  /** The same from memory, without creating anybody. */
  recognise(from: Inbound): Speaker
  /** The person who gets the messages at this notifier, as the sender of a command; null if there is none. */
  senderAt(press: ActionPress): Inbound | null
}

const CANNOT_WRITE = 'the platform says that we cannot write there'

export function createDirectory(world: {
  view: View
  access: 'claim' | 'open'
  isLocal(platform: string): boolean
  /** True for notifiers: people name a destination there and cannot speak. */
  isNamed(platform: string): boolean
  emit: Emit
  /** Wall time. */
  now(): number
  /** Resolves when the change is committed. */
  change(change: Change): Promise<unknown>
  /** Sends the rows that wait in a broken chat. */
  tryAgain(chatId: number): void
}): Directory {
  const { view, access, isLocal, isNamed, emit, change, tryAgain } = world

  function recognise({ by, chat, answerUnread }: Inbound): Speaker {
    // A notifier knows no people: its buttons act for the person who named the destination.
    const person = answerUnread ? view.personAt(chat) : view.person(by)
    const own = person?.defaultChat == null ? null : view.chat(person.defaultChat)
    const here = view.chatAt(chat)
    return { person, own, bound: here && !here.private ? here : null, local: isLocal(by.platform) }
  }

  /**
   * The alerts that reach this destination: the person's own, delegated ones, and those of chats that they have bound.
   */
  function firing(there: Address): readonly Firing[] {
    const personId = view.chatAt(there)?.personId
    if (personId === undefined) return []
    const bound = view.chats(personId).flatMap(({ id }) => view.firingIn(id))
    return [...view.firing(personId), ...view.helping(personId), ...bound]
  }

  /** Who acknowledged there. On behalf of somebody else, the person is named. */
  function wordOf(there: Address, alertId: number): string {
    const personId = view.chatAt(there)?.personId ?? 0
    if (!view.helping(personId).some((one) => one.alertId === alertId)) return there.platform
    const [known] = view.helped(personId)
    return `${known?.delegateName ?? ''} (${there.platform})`.trim()
  }

  /** Commits a report of a platform without waiting for it. */
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
      // An answer that only one person sees counts as private.
      const welcome = speaker.local || (access === 'open' && (from.private || from.whisper))
      if (welcome && (!speaker.person || !view.chatAt(home)))
        await change({ is: 'meet', by, home, as: speaker.local ? 'local' : 'person' })
      // The person may have repaired the chat. Their message does not prove it, so a waiting row is tried.
      for (const chat of [view.chatAt(from.chat), view.chatAt(home)])
        if (chat && chat.brokenBecause !== null) tryAgain(chat.id)
      return recognise(from)
    },
    senderAt({ id, there }) {
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
      // An alert that has got worse since then counts as not acknowledged: they have not seen that.
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
