import { getChat, getChatAdministrators, getChatMember, leaveChat, sendChatAction } from './chats.ts'
import { getFile } from './documents.ts'
import { deleteWebhook, getUpdates, getWebhookInfo, setWebhook } from './intake.ts'
import {
  deleteMyCommands,
  getChatMenuButton,
  getMyCommands,
  getText,
  setChatMenuButton,
  setMyCommands,
  setText,
} from './menu.ts'
import { Refusal } from './refusal.ts'
import type { Args } from './request.ts'
import {
  deleteMessage,
  editCaption,
  editMarkup,
  editText,
  pinMessage,
  sendFile,
  sendMessage,
} from './send.ts'
import { answerCallbackQuery } from './taps.ts'
import { botWire } from './wire.ts'
import type { World } from './world.ts'

type Method = (world: World, args: Args, gone: AbortSignal) => unknown

const METHODS: Record<string, Method> = {
  getMe: botWire,
  getUpdates,
  setWebhook,
  deleteWebhook,
  getWebhookInfo,
  setMyCommands,
  getMyCommands,
  deleteMyCommands,
  setMyDescription: (world, args) => setText(world, args, 'description'),
  getMyDescription: (world, args) => getText(world, args, 'description'),
  setMyShortDescription: (world, args) => setText(world, args, 'short_description'),
  getMyShortDescription: (world, args) => getText(world, args, 'short_description'),
  setChatMenuButton,
  getChatMenuButton,
  sendMessage,
  sendPhoto: (world, args) => sendFile(world, args, 'photo'),
  sendDocument: (world, args) => sendFile(world, args, 'document'),
  editMessageText: editText,
  editMessageCaption: editCaption,
  editMessageReplyMarkup: editMarkup,
  deleteMessage,
  pinChatMessage: (world, args) => pinMessage(world, args, true),
  unpinChatMessage: (world, args) => pinMessage(world, args, false),
  answerCallbackQuery,
  sendChatAction,
  getFile,
  getChat,
  getChatMember,
  getChatAdministrators,
  leaveChat,
}
/** The server knows them in any case. */
const BY_LOWER_CASE = new Map(Object.keys(METHODS).map((name) => [name.toLowerCase(), name]))

/** A method's usual spelling, or what was asked for when there is none such. */
export function spelled(method: string): string {
  return BY_LOWER_CASE.get(method.toLowerCase()) ?? method
}

export async function call(world: World, method: string, args: Args, gone: AbortSignal): Promise<unknown> {
  const run = METHODS[method]
  if (!run) throw new Refusal(404, 'Not Found: method not found')
  world.limits.call(method)
  return await run(world, args, gone)
}
