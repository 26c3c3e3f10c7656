import type { Limits } from '../../../src/chat/notifier.ts'

/** https://docs.discord.com/developers/resources/message#create-message */
export const CONTENT = 2000
/** https://docs.discord.com/developers/resources/message#attachment-object */
export const ATTACHMENT_DESCRIPTION = 1024
export const NONCE = 25
/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
export const EMBEDS = 10
export const EMBED_TITLE = 256
export const EMBED_DESCRIPTION = 4096
export const EMBEDS_TOGETHER = 6000
/** https://docs.discord.com/developers/components/reference */
export const ROWS = 5
export const BUTTONS_IN_A_ROW = 5
export const BUTTON_LABEL = 80
export const CUSTOM_ID = 100
export const URL_LENGTH = 512
/** https://docs.discord.com/developers/components/reference#string-select */
export const SELECT_OPTIONS = 25
export const SELECT_LABEL = 100
/** https://docs.discord.com/developers/components/reference#text-input, and a modal of #interaction-response-object-modal */
export const MODAL_TITLE = 45
export const INPUT_LABEL = 45
export const INPUT_PLACEHOLDER = 100
/** https://docs.discord.com/developers/interactions/application-commands */
export const COMMAND_DESCRIPTION = 100
export const OPTIONS = 25
export const CHOICES = 25
export const CHOICE = 100
/** https://docs.discord.com/developers/interactions/receiving-and-responding: the first answer. */
export const ACK_WITHIN_MS = 3_000
/** "The past few minutes" (resources/message#create-message, `enforce_nonce`): the fewest that "few" can mean. */
export const NONCE_LASTS_MS = 2 * 60_000

/**
 * Discord allows 50 requests a second in all
 * (https://docs.discord.com/developers/topics/rate-limits#global-rate-limit). Burst and rate together stay below that,
 * with some left for looking up chats. The limit of a channel (about five messages in five seconds) comes in headers,
 * which discord.js obeys; this rate only smooths a flood.
 */
export const PACE: Limits = {
  platform: { burst: 5, perSecond: 40 },
  chat: { burst: 10, perSecond: 2 },
  group: null,
  pictures: true,
}
