import type { Failure } from "./failures.ts";
import type { ManagementAnswer } from "./management.ts";
import { type AmqpLink, type AmqpRequest, types } from "./rhea.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Sends a reply on the link of the same connection that the request names. */
const reply = (link: AmqpLink, request: AmqpRequest, properties: Fields, body: unknown): void => {
  const { reply_to: replyTo, message_id: messageId } = request;
  const target = link.connection.find_sender((other) => other.name === replyTo || other.target?.address === replyTo);
  if (target?.is_open())
    target.send({ correlation_id: messageId, to: replyTo, application_properties: properties, body });
};

/** Answers a put-token request. Any token is good: the broker serves one machine and its tests. */
export const replyToToken = (link: AmqpLink, request: AmqpRequest): void =>
  reply(link, request, { "status-code": types.wrap_int(202), "status-description": "Accepted" }, undefined);

/** Answers a `$management` request. Without an error condition the client would guess one from the status. */
export const replyToManagement = (link: AmqpLink, request: AmqpRequest, answer: ManagementAnswer): void => {
  const tracking = "com.microsoft:tracking-id";
  const properties = { ...statusOf(answer), [tracking]: request.application_properties?.[tracking] };
  reply(link, request, properties, answer.kind === "done" ? answer.body : undefined);
};

const statusOf = (answer: ManagementAnswer): Fields => {
  switch (answer.kind) {
    case "done":
      return { statusCode: types.wrap_int(200), statusDescription: "OK" };
    case "empty":
      return {
        statusCode: types.wrap_int(204),
        statusDescription: "No content",
        errorCondition: types.wrap_symbol("com.microsoft:message-not-found"),
      };
    case "failed":
      return failureStatus(answer.failure);
  }
};

const failureStatus = ({ condition, description, status }: Failure): Fields => ({
  statusCode: types.wrap_int(status),
  statusDescription: description,
  errorCondition: types.wrap_symbol(condition),
});
