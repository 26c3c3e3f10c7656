import { item, message, type Message, words } from '../../message/message.ts'
import { type Chat, UNPROVEN } from '../../people/chat.ts'
import type { Change } from '../../store/change.ts'
import { chatAt, privateChats } from '../memory/people.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { notifyQuietly } from '../notify/notice.ts'
import { renamed } from './chats.ts'
import { type Decided, doing, nothing } from './decided.ts'

/**
 * Where a person is told and never speaks: a private chat of theirs, one a platform. The first one is their fallback
 * until they choose otherwise, as any second chat is. It stays when the page that has named it ends.
 */
export function place(
  { memory: drawers, numbers, now }: EvaluationContext,
  { personId, platform, named, setBy }: Extract<Change, { is: 'place' }>,
): Decided {
  const person = drawers.people.persons.get(personId)
  if (!person) return nothing(words('change.place.unknown'))
  const known = privateChats(drawers, personId).find(({ address }) => address.platform === platform)
  if (named === null) {
    if (!known) return nothing(words('change.place.none', { platform }))
    return doing([...renamed(drawers, known.id, null), { is: 'chat-gone', chatId: known.id }])
  }
  const there = chatAt(drawers, named.address)
  // Otherwise the first to name it would hear another person's alerts.
  if (there && there.id !== known?.id) return nothing(words('change.place.taken'))
  const isProven = there !== undefined && there.brokenBecause === null
  const chat: Chat = {
    ...named,
    id: known?.id ?? ++numbers.chat,
    personId,
    private: true,
    mention: null,
    brokenBecause: isProven ? null : UNPROVEN,
    quiet: known?.quiet ?? privateChats(drawers, personId)[0]?.quiet ?? null,
    digest: null,
    weekly: null,
    pin: null,
    acksBy: 'known',
  }
  const fallbackChat = person.fallbackChat ?? chat.id
  return doing([
    { is: 'chat', chat },
    ...(fallbackChat === person.fallbackChat
      ? []
      : [{ is: 'person', person: { ...person, fallbackChat } } as const]),
    ...(setBy === undefined
      ? []
      : notifyQuietly(drawers, numbers, personId, noticeOf(setBy, named.title, platform), now)),
  ])
}

/** Somebody who found an open page could go on reading there after it was signed out: the person hears of it. */
function noticeOf(name: string, title: string, platform: string): Message {
  const lines = [words('change.place.by-page.how', { name })]
  return message([item('info', words('change.place.by-page', { place: title }), lines)], {
    buttons: [
      { label: words('change.place.button.pages'), line: '/pages', replace: false },
      { label: words('change.place.button.none'), line: `/settings ${platform} none`, replace: false },
    ],
  })
}
