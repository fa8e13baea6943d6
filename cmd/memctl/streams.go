package main

type streams = Streams
