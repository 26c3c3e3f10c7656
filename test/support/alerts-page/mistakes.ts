/** What other bots and alarms get wrong, and the story in which Perch does not: what | file under test/ | describe > test. */
export const MISTAKES = String.raw`
A warning starts a cooldown that swallows the critical alert | scenarios/time-rules | a warning does not keep what is critical silent, however soon it follows
A snooze or an acknowledgement of the small alarm silences the deadly one | scenarios/scope | a warning on which somebody says %s > does not keep what is critical silent, nor what repeats that
An acknowledgement of the worst leaves the milder alarm ringing | scenarios/scope | whoever has acknowledged what is critical has acknowledged the warning that it becomes
An acknowledged alarm never rings again | scenarios/scope | and is rung all the same when that becomes critical once more
An acknowledgement of one alarm silences all | scenarios/scope | an acknowledgement of one position goes for no other one
An acknowledgement stops one chat, and the others ring on | scenarios/scope | an acknowledgement in any chat that was rung ends the ringing in all of them
Each look restarts the wait for the reminder, so it never comes | scenarios/waking | what is critical > is said again with what it is now and what it was
A rule fires once and is put away | scenarios/time-rules | critical, healthy and a warning within the hour: each of them is told
The record of the last alarm outlives the recovery: the next one within the hour is silent | scenarios/time-rules | critical, healthy and a warning within the hour: each of them is told
A fast move is sent again with every look | scenarios/loudness | a fall that goes on between two lines is one message, however often it is read
One fall through several thresholds is several messages | scenarios/warnings | somebody watches a wallet > a fall through three lines in one tick is one message, at the worst of them
A price that flaps around a threshold rings all day | scenarios/warnings | somebody watches a wallet > a price that trembles around a line is one message; past the clear band it is another story
A position that is in danger when it is first seen says nothing until it changes | scenarios/loudness | a phone > rings for what is critical when it is first seen, by the first reading of it
A rule that is already met when it is set waits for the next change | scenarios/evidence | a rule that is set while it is so is told at once, not with the next change
A narrow rule takes away what a wide one gave | scenarios/rules | a rule > for one market adds its line to those of the wider one, and takes only that away with it
A new rule calls old positions new | engine/observe/wallet-turn | what is known of a wallet does not depend on what is told of it > a rule for one market, then one for all: what was open before is not “opened”
Danger is shown by an edit, which makes no sound | scenarios/loudness | a phone > rings again for what nobody answers: a new message, for an edit makes no sound
It rings all night, or stops without a word | scenarios/waking | what is critical > is said again for twelve hours, and then that it is not any more
A silence has no end | scenarios/rest | a mute > is asked for its end
A silence swallows the end of an alarm | scenarios/scope | a warning on which somebody says %s > is told as over all the same
“Over” is sent to somebody who was never warned | engine/found | and that what got worse in it is over as well; whoever was not warned finds both in the summary
It rings on after the person has acted | scenarios/loudness | whoever has been warned and then acts hears that it is over, and nothing more
Only the price is watched, and the liquidation price moves by itself | scenarios/loudness | a liquidation price that comes nearer by itself is told, although the price stands still
Missing data ends the alarm, and it rings again when the data is back | scenarios/blind | when the venue cannot be seen > people are told once after ten seconds, with what was last seen, and once on return
A gap of seconds is an alarm of its own | scenarios/blind | when the venue cannot be seen > short gaps are nobody's business: no false all-clear, no second warning
A partial answer is treated as complete | scenarios/blind | when one wallet cannot be seen > an answer that does not show everything is no sight
An answer that lacks a position once ends its alarm | scenarios/evidence | a position > that one whole answer lacks is not gone, and its alert neither ends nor begins anew
A liquidation price that is missing once is believed | scenarios/blind | when one wallet cannot be seen > a liquidation price that the venue drops once is not believed; twice it is
A figure of the wrong scale rings | scenarios/blind | when one wallet cannot be seen > a position on a broken scale is not in danger, it is not seen
The alarm about missing data waits for data | scenarios/blind | when the venue cannot be seen > a bot that starts blind says so and recovers by itself
A bot that restarts all the time never reports an outage | scenarios/blind | when it is restarted again and again while the venue is down > people are told all the same, once
An outage never reaches the chats of others | scenarios/blind | when one wallet cannot be seen > a shared chat hears nothing of the wallets of whoever set its alerts
A wallet that comes near danger unseen is reported as late as one far from it | scenarios/blind | when one wallet cannot be seen > one that comes near danger while it cannot be read is told by the short patience
A snooze that ends unseen claims that the alarm is still on | scenarios/scope | a snooze that ends while nothing is seen does not say that it is still so
One outage is a message for each thing that it hides | scenarios/blind | ten wallets that cannot be seen are one message, and one when they are seen again
The bot claims a cause that nobody saw | scenarios/evidence | a position > that is gone when the venue is back is not called closed: what the price did meanwhile nobody saw
Evidence is forgotten before it is needed | scenarios/evidence | a position > whose price went through while its wallet was dark for long is not called closed
Funding that is nearly zero flips all the time | scenarios/warnings | funding > that turns against a position is said from its side, and again when it turns back
Two rules about one event report it twice | scenarios/rules | two rules on funding > in one market: one flip is one message, and the wider one speaks on when the narrower is gone
A restart sends everything again | scenarios/restart | a bot that starts again > says nothing when nothing changed
A restart swallows what happened meanwhile | scenarios/restart | a bot that starts again > tells once what became worse meanwhile, as while it was away
A restart forgets that something is over | scenarios/restart | a bot that starts again > still owes the "cleared" to whoever was warned before
A restart forgets which message was whose | scenarios/scope | a message of before a restart is the one that shows who acknowledged it
An alarm is noted as sent before it was: a crash in between loses it | scenarios/survival | killed at random moments of a fall, it tells every line, and none twice unless it says so
A failed send is dropped, or retried once and given up | scenarios/delivery | a warning > survives a messenger that is down, and says how late it is
A message that may have arrived is lost, or repeated as if it were news | scenarios/delivery | a warning > that may have arrived is repeated, and marked as a possible repeat
A message that is given up is a line in a log | scenarios/delivery | a warning > that is refused twice is parked and shown in /status and /why
Refused markup kills the message | scenarios/delivery | a warning > whose markup is refused goes out as plain text
A message that is too long is replaced by an error, in the largest crash | scenarios/loudness | of twenty-five positions that fall together each is named, in messages of ten, the worst first
The platform’s rate limit loses what comes last, the summary first of all | adapters/telegram/crowd | 200 chats alerted in one tick hear it within the limits, what is critical first
One refusal, and the person is unprotected without knowing | scenarios/scope | a chat that refuses once is named where its person can read it, and warnings go there
A temporary refusal ends a chat for ever | adapters/discord/passing | a chat that was broken in error heals by itself within the hour, and its warning arrives
A group that becomes another one is lost | scenarios/delivery | a warning > follows a chat that moved
Warnings are promised where the bot may not write | adapters/discord/promises | /watch > says that direct messages are closed instead of promising warnings there
One failing chat delays everybody | adapters/discord/passing | one channel that answers 500 delays nobody else’s warning
A stale all-clear is the last word | adapters/discord/passing | after an outage of three seconds the newest state is the last word, and what is late says so
Accepted by the platform counts as read | scenarios/waking | what is critical > rings again 1, 3, 7, 15 and 31 minutes after the first alert, then every 30 minutes
Strangers who talk keep warnings waiting | adapters/telegram/strangers | 300 strangers who say 10 lines each delay no warning, no BLIND and no answer
A venue that refuses now and then is asked ever more seldom | scenarios/refusals | a venue that refuses one request every five seconds, however few are made, is still read when its pace has fallen
A fault in one chat mutes all | scenarios/blind | when one wallet cannot be seen > a group that is unbound while it waits for the return of the venue mutes nobody
The test passes, and the alarm goes another way | scenarios/drill | a drill rings in the preferred chat and in the fallback, marked as one, and says what was sent where
A test leaves an alarm behind | scenarios/drill | it is not repeated, leaves no alert behind, and changes nothing of those that fire
The chain ends nowhere, and that shows at night | scenarios/drill | a chain that ends nowhere is said by the drill, by /status and in the digest
The process lives and its loop is dead | ops/liveness/health | /healthz > is bad when the engine has not turned for a minute
Prices come in, and nobody judges them | ops/liveness/health | /readyz > is bad when prices are read and none are judged any more, though all else goes on
Nothing can be saved, and everything looks well | scenarios/storage | a full disk is told to the operator at once and once, by /status, and when it is over
Two instances take each other’s messages, and nobody is notified | adapters/telegram/faults | another instance with the same token > is outlasted, and the operator is told once
A group reads somebody’s private data | adapters/telegram/chats | a group > learns nothing personal: the answer is a hint to the private chat
Anybody in a group commands the bot | adapters/telegram/chats | a group > lets only administrators configure it, and notices soon who is one
The message has a percentage, and neither its threshold nor what is at stake | scenarios/warnings | somebody watches a wallet > and hears of each line once, with figures and their age
A liquidated account needs no margin, and is called clear | engine/memory/accounts | an account that covers nothing any more > ends with words, and is not said to be clear for having lost its positions
`
