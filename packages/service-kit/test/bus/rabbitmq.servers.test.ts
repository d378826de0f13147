import { durableMessageBusContract } from './message-bus.contract.ts';
import { RabbitMqFixture } from './rabbitmq-fixture.ts';

durableMessageBusContract('amqp:', () => RabbitMqFixture.create());
