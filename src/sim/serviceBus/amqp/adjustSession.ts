import type { AmqpLink, AmqpSession } from "./rhea.ts";

export interface SessionHooks {
  /** Whether messages on this link are wanted as bytes. */
  readonly takesBytes: (link: AmqpLink) => boolean;
  /** Called after any flow frame: credit or window may have grown. */
  readonly onFlow: (session: AmqpSession) => void;
}

/** Shadows, on one session only, the methods of rhea that do not do what a broker needs. */
export const adjustSession = (session: AmqpSession, { takesBytes, onFlow }: SessionHooks): void => {
  const createSender = session.create_sender.bind(session);
  const onTransfer = session.on_transfer.bind(session);
  const handleFlow = session.on_flow.bind(session);

  session.create_sender = (name, options) => {
    const sender = createSender(name, options);
    const getDrain = sender._get_drain.bind(sender);
    // rhea leaves a drain request unanswered when there is no credit left; the client would then close the link.
    sender._get_drain = () => getDrain() || (sender._draining && sender._drained && sender.credit === 0);
    return sender;
  };

  session.on_transfer = (frame) => {
    // Any format but 0 makes rhea hand over the bytes; a batch has one of its own, which must stay.
    if (takesBytes(session._get_link(frame))) frame.performative.message_format ||= 1;
    onTransfer(frame);
  };

  session.on_flow = (frame) => {
    handleFlow(frame);
    onFlow(session);
  };
};
