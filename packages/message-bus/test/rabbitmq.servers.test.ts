import { durableMessageBusContract } from './message-bus.contract.ts';
import { RabbitMqPlace } from './rabbitmq-place.ts';

durableMessageBusContract('amqp:', () => RabbitMqPlace.create());
